"""The stacks of ``infra/``, written out once: three deployments in one app, with cdk-nag looking on."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # without the group, nothing here can be imported
    from tests.infra.written import Written


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the tests' files, too: without the group they can't even be imported."""
    is_test = collection_path.name.startswith("test_")
    return True if is_test and "infra" not in config.getoption("with_groups").split(",") else None


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> "Written":
    """Return all templates: `primavoce` as it is by default, `tiny` with all that is optional, `still` unscaled."""
    from tests.infra.written import write_out

    folder = tmp_path_factory.mktemp("stacks")
    capacity = folder / "capacity.json"
    capacity.write_text(
        json.dumps(
            {
                "sessions_per_instance": 100,
                "min_instances": 2,
                "max_instances": 20,
                "target_sessions": 80,
                "instance_type": "ml.c7i.xlarge",
            }
        )
    )
    return write_out(
        folder / "cdk.out",
        {},
        {
            "name": "tiny",
            "instance_type": "ml.c7i.xlarge",
            "capacity": str(capacity),
            "speech_image": "sha256:" + "5" * 64,
            "agent_image": "sha256:" + "a" * 64,
            "model": "amazon.nova-lite-v1:0",
            "model_data": "v1/small",
            "network_isolation": "false",
            "idle_timeout_s": "120",
            "first_audio_p95_ms": "700",
            "first_chunk_p95_ms": "3000",
            "alarm_email": "operator@example.com",
            "retention_days": "7",
        },
        {"name": "still-life", "scaling": "false", "model": "us.anthropic.claude-sonnet-4-6"},
    )
