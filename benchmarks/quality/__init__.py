"""Speech in windows beside whole runs, as it is understood and as it sounds."""
