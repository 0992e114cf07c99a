"""The llama.cpp server as a process of its own: ``python llama_server.py NAME WEIGHTS``.

Prints its address once it answers, and ends when its standard input does: the parent holds the
other end, which closes however the parent ends, SIGKILL included.
"""

import os
import sys
import threading
from typing import Any

CONTEXT_TOKENS = 8192


def serve(name: str, weights: str) -> Any:
    """A running server, which stops when it is dropped; RuntimeError where it cannot start."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = weights
    parameters.model_alias = {name}
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.fit_params = False
    # The same request must get the same text whatever was asked before, and on any number of
    # threads. A reused prompt, another request in the batch, and flash attention, which splits
    # its sums among the threads, each change the last bits of the logits.
    parameters.n_parallel = 1
    parameters.cache_prompt = False
    parameters.cache_ram_mib = 0
    parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    # Tokens come one by one, with too little work in each to share: a second thread gains some
    # speed on an idle machine and loses most of it on a busy one.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 2
    parameters.ui = False
    parameters.verbosity = 2
    return xllamacpp.Server(parameters)


def _end_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(0)


if __name__ == "__main__":
    parent = threading.Thread(target=_end_with_parent, daemon=True)
    parent.start()
    try:
        server = serve(*sys.argv[1:])
    except (ImportError, RuntimeError) as error:
        sys.exit(str(error))
    print(server.listening_address, flush=True)
    parent.join()
