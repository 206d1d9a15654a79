from pathlib import Path

import pytest

from primavoce.agent.settings import AGENT_VARIABLES
from primavoce.errors import InvalidSetting
from primavoce.settings import VARIABLES, Settings


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = Settings.from_env({"HOME": "/home/ada"})

    assert (settings.host, settings.port, settings.voice) == ("127.0.0.1", 8080, "af_heart")
    assert settings.assets.cache_dir.name == "primavoce"


def test_every_variable_sets_its_own_field() -> None:
    texts = {
        "PRIMAVOCE_HOST": "0.0.0.0",
        "PRIMAVOCE_VOICE": "if_sara",
        "PRIMAVOCE_VOCODER": "whole",
        "PRIMAVOCE_DEVICE": "cpu",
        "PRIMAVOCE_API_KEYS": "a-key-of-ones-own",
        "PRIMAVOCE_ALLOWED_ORIGINS": "https://voice.example.com",
        "PRIMAVOCE_OPEN": "1",
        "PRIMAVOCE_METRICS": "0",
        "PRIMAVOCE_PAGE": "0",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1/traces",
        "PRIMAVOCE_SEND_BUFFER_BYTES": "8192",
        "PRIMAVOCE_LOG_LEVEL": "debug",
        "PRIMAVOCE_CACHE": "/c",
        "PRIMAVOCE_ASSETS": "/a",
        "PRIMAVOCE_ASSET_SOURCES": "hub",
        "PRIMAVOCE_OFFLINE": "1",
        "PRIMAVOCE_HUB_ENDPOINT": "http://127.0.0.1:1",
    }
    default = Settings.from_env({"HOME": "/h"})

    for variable in VARIABLES:
        changed = Settings.from_env({"HOME": "/h", variable.name: texts.get(variable.name, "1024")})
        before, after = (getattr(s.assets if variable.of_assets else s, variable.sets) for s in (default, changed))
        assert before != after, variable.name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PRIMAVOCE_PORT", "65536"),
        ("PRIMAVOCE_PORT", "-1"),
        ("PRIMAVOCE_PORT", "http"),
        ("PRIMAVOCE_MAX_SESSIONS", "0"),
        ("PRIMAVOCE_SESSION_IDLE_S", "nan"),
        ("PRIMAVOCE_SESSION_IDLE_S", "0"),
        ("PRIMAVOCE_SEND_TIMEOUT_S", "soon"),
        ("PRIMAVOCE_VOCODER", "fast"),
        ("PRIMAVOCE_DEVICE", "gpu"),
        ("PRIMAVOCE_STUCK_FACTOR", "0"),
        ("PRIMAVOCE_VOCODER", "auto,nobody=whole"),
        ("PRIMAVOCE_API_KEYS", "short"),
        ("PRIMAVOCE_API_KEYS", ","),
        ("PRIMAVOCE_ALLOWED_ORIGINS", "voice.example.com"),
        ("PRIMAVOCE_OPEN", "yes"),
        ("PRIMAVOCE_METRICS", "on"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317"),
        ("PRIMAVOCE_LOG_LEVEL", "loud"),
        ("PRIMAVOCE_ASSET_SOURCES", "packages,ftp"),
        ("PRIMAVOCE_OFFLINE", "yes"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name: str, text: str) -> None:
    with pytest.raises(InvalidSetting, match=name):
        Settings.from_env({"HOME": "/h", name: text})


def test_the_vocoder_is_chosen_for_all_voices_and_for_single_ones() -> None:
    vocoder = Settings.from_env({"HOME": "/h", "PRIMAVOCE_VOCODER": "stream,af_sky=whole"}).vocoder

    assert (vocoder.of("af_heart"), vocoder.of("af_sky")) == ("stream", "whole")
    assert Settings.from_env({"HOME": "/h"}).vocoder.of("af_sky") == "auto"


def test_a_blank_value_is_none() -> None:
    assert Settings.from_env({"HOME": "/h", "PRIMAVOCE_PORT": " "}).port == 8080


def test_every_variable_is_documented() -> None:
    documented = (Path(__file__).parents[1] / "docs" / "settings.md").read_text()

    variables = (*VARIABLES, *AGENT_VARIABLES)
    assert [variable.name for variable in variables if f"`{variable.name}`" not in documented] == []
