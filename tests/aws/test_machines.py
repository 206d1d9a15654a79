"""Instance types, and the machines behind them."""

import pytest

from primavoce.aws.machines import check_instance_type
from primavoce.errors import InvalidSetting

ARM = ("ml.c7g.xlarge", "ml.g5g.xlarge", "ml.m6gd.2xlarge", "ml.r8g.large", "ml.c6gn.xlarge", "ml.im4gn.large")
OTHERS = (
    "ml.g5.xlarge",
    "ml.g4dn.xlarge",
    "ml.g6e.2xlarge",
    "ml.gr6.4xlarge",
    "ml.p4d.24xlarge",
    "ml.p6-b200.48xlarge",
)
PROCESSORS = ("ml.c7i.xlarge", "ml.c7i-flex.large", "ml.m5dn.large", "ml.r7i.large", "ml.inf2.xlarge", "ml.t2.medium")


@pytest.mark.parametrize("instance_type", [*ARM, "ml.a1.large", "ml.p6e-gb200.36xlarge"])
def test_a_machine_with_an_arm_processor_is_refused_with_what_to_take(instance_type: str) -> None:
    with pytest.raises(InvalidSetting, match=rf"--instance-type: {instance_type} has an Arm .* take ml\.g5\.xlarge"):
        check_instance_type(instance_type)


@pytest.mark.parametrize(
    "instance_type", ["", "m5", "G5 bla", "g5.xlarge", "ML.C7G.xlarge", "ml.g5.xlarge ", "ml.g5.xlarge\n", "ml.g5"]
)
def test_what_is_no_instance_type_is_refused_before_the_stacks_do(instance_type: str) -> None:
    with pytest.raises(
        InvalidSetting, match=r"--instance-type: must be an instance type such as ml\.g5\.xlarge, not '"
    ):
        check_instance_type(instance_type)


@pytest.mark.parametrize("instance_type", [*OTHERS, *PROCESSORS])
def test_any_other_is_not(instance_type: str) -> None:
    check_instance_type(instance_type)
