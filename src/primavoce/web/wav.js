/** A WAV file of what was heard, for the listener to keep. */

const HEADER_BYTES = 44;

/**
 * @param {Int16Array|Int16Array[]} blocks mono samples, in order
 * @param {number} sampleRate
 * @returns {Blob} of type audio/wav
 */
export function wavBlob(blocks, sampleRate) {
  const all = blocks instanceof Int16Array ? [blocks] : blocks;
  const audioBytes = 2 * all.reduce((count, block) => count + block.length, 0);
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const letters = (at, text) => [...text].forEach((letter, i) => header.setUint8(at + i, letter.charCodeAt(0)));
  letters(0, 'RIFF');
  header.setUint32(4, HEADER_BYTES - 8 + audioBytes, true);
  letters(8, 'WAVEfmt ');
  header.setUint32(16, 16, true); // bytes of the format that follow
  header.setUint16(20, 1, true); // PCM
  header.setUint16(22, 1, true); // mono
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, sampleRate * 2, true); // bytes a second
  header.setUint16(32, 2, true); // bytes a frame
  header.setUint16(34, 16, true); // bits a sample
  letters(36, 'data');
  header.setUint32(40, audioBytes, true);
  return new Blob([header.buffer, ...all], { type: 'audio/wav' });
}
