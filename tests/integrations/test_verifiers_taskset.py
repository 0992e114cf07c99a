"""The taskset in verifiers' own machinery: its rollouts, tool servers and rewards, a stand-in for the model."""

import asyncio
import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext

from dataset_builder.errors import InputError
from dataset_builder.tasks.task import Suite, Task
from evaluator.asking.prompts import outputs_shown
from evaluator.integrations.task_stream import TaskStream
from evaluator.integrations.verifiers_taskset import CompositionConfig, CompositionTaskset
from tests.asking.test_baselines import answered  # noqa: F401
from tests.stand_ins.provider import Provider

ROOT = Path(__file__).parents[2]
