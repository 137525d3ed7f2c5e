import { call } from '#kit/web/calls/call.ts'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import type { Found } from '#kit/web/shell/registry.ts'
import { listFiles } from '../endpoints.ts'

/** Files by a part of their name, for the palette. */
export async function findFiles(query: string, signal: AbortSignal): Promise<Found[]> {
  if (query.trim().length < 2) return []
  const { rows } = await call(listFiles, { q: query }, { signal, quiet: true })
  return rows.slice(0, 5).map(({ id, name, size }) => ({
    key: id,
    label: name,
    hint: fileSize(size),
    href: `/invoice/files?folder=all&q=${encodeURIComponent(name)}`,
  }))
}
