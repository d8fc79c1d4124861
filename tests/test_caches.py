"""Where compiled programs are kept."""

import pytest

from pokerlab.caches import keep_jax_programs


@pytest.mark.parametrize("told", [None, "elsewhere"])
def test_jax_keeps_programs_in_the_cache_directory_unless_it_was_told_of_another(told, tmp_path, monkeypatch):
    jax = pytest.importorskip("jax")
    before = jax.config.jax_compilation_cache_dir
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    try:
        jax.config.update("jax_compilation_cache_dir", told)
        keep_jax_programs()
        assert jax.config.jax_compilation_cache_dir == (told or str(tmp_path / "jax"))
    finally:
        jax.config.update("jax_compilation_cache_dir", before)
