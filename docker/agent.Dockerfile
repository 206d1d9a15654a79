# The agent for Amazon Bedrock AgentCore, or for any machine that runs containers. It has no model: words come from
# Bedrock, or what PRIMAVOCE_AGENT_MODEL names, and speech from the server that PRIMAVOCE_AGENT_SPEECH names.
#
#   docker buildx build --file docker/agent.Dockerfile --platform linux/arm64 --tag primavoce-agent .
#
# AgentCore runs linux/arm64. Nothing of that platform is run while building, so an x86_64 machine needs no emulator.
ARG TARGET=aarch64-unknown-linux-gnu
# A tag, since which digest is current can only be asked of the registry. To build from one and the same, pass
# --build-arg PYTHON_IMAGE=python:3.12-slim-trixie@sha256:…
ARG PYTHON_IMAGE=python:3.12-slim-trixie

FROM --platform=${BUILDPLATFORM} ${PYTHON_IMAGE} AS libraries
ARG TARGET
WORKDIR /build
COPY docker/install docker/build.lock docker/agent.lock docker/
RUN docker/install libraries docker/agent.lock /opt/primavoce --python-platform "${TARGET}"

FROM libraries AS project
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN docker/install project /opt/primavoce /opt/project

FROM ${PYTHON_IMAGE} AS serving
LABEL org.opencontainers.image.title="primavoce agent" \
      org.opencontainers.image.description="An agent that speaks while it writes" \
      org.opencontainers.image.licenses="Apache-2.0 AND LGPL-2.1-or-later AND LGPL-3.0-or-later AND MPL-2.0"
# AgentCore lets people in. DOCKER_CONTAINER: it listens on port 8080 of all addresses.
ENV PATH=/opt/primavoce/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DOCKER_CONTAINER=1 \
    HOME=/tmp \
    PRIMAVOCE_OPEN=1 \
    PRIMAVOCE_OFFLINE=1
COPY --from=libraries /opt/primavoce /opt/primavoce
COPY LICENSE NOTICE /usr/share/doc/primavoce/
COPY --from=project /opt/project /opt/primavoce
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/ping', timeout=2)"]
# A number: no line of /etc/passwd is needed, and orchestrators see that it isn't root.
USER 10001:10001
ENTRYPOINT ["primavoce"]
CMD ["agent"]
