import { setImmediate } from 'node:timers/promises'

const perPack = 500

/** Rows on their way to a thread, some at a time, so that calls are answered between them. */
export async function packed(rows: readonly Record<string, unknown>[]): Promise<Uint8Array[]> {
  const packs: Uint8Array[] = []
  for (let from = 0; from < rows.length; from += perPack) {
    packs.push(Buffer.from(JSON.stringify(rows.slice(from, from + perPack))))
    await setImmediate()
  }
  return packs
}

/** The same rows again; moments come as text. */
export const unpacked = (packs: readonly Uint8Array[]): Record<string, unknown>[] =>
  packs.flatMap((pack) => JSON.parse(Buffer.from(pack).toString()) as Record<string, unknown>[])
