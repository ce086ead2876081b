"""``python -m wildrank`` is the `wildrank` command."""

from wildrank.cli import main

if __name__ == "__main__":  # workers of a simulation import this module, too
    main()
