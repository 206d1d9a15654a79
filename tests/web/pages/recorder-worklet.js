/** Sends every block that reaches it to the page, as it is. */
class Recorder extends AudioWorkletProcessor {
  process([[block]]) {
    // Without a block, the node before has not started: silence.
    this.port.postMessage({ frame: currentFrame, samples: block ? block.slice() : new Float32Array(128) });
    return true;
  }
}
registerProcessor('recorder', Recorder);
