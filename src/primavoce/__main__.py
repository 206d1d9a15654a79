"""``python -m primavoce``."""

from primavoce.cli import main

if __name__ == "__main__":
    main()
