/** Whether a hash begins with so many zero bits: the work a form is asked for. */
export function startsWithZeros(hash: Uint8Array, bits: number): boolean {
  let left = bits
  for (const byte of hash) {
    if (left <= 0) return true
    if (left >= 8 ? byte !== 0 : byte >> (8 - left) !== 0) return false
    left -= 8
  }
  return true
}
