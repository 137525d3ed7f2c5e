import { callBytes } from '#kit/web/calls/call.ts'
import { archiveFile, type ExpenseArchive } from '../endpoints.ts'

/** So much is asked for at once: little is lost when the line is cut, and one sees it grow. */
const atOnce = 8 * 1024 * 1024

/** What came already, by archive; it lives as long as the page. */
const kept = new Map<string, Blob[]>()

/**
 * Brings an archive part by part and saves it. What came stays when a part fails, and the next try goes on
 * after it.
 */
export async function fetchArchive(
  { id, name, bytes }: ExpenseArchive,
  tell: (came: number) => void,
): Promise<void> {
  const parts = kept.get(id) ?? []
  kept.set(id, parts)
  let came = parts.reduce((sum, { size }) => sum + size, 0)
  tell(came)
  while (came < bytes) {
    const { blob } = await callBytes(archiveFile, { id, from: came, most: atOnce })
    if (blob.size === 0) throw new Error('an archive shorter than it said')
    parts.push(blob)
    came += blob.size
    tell(came)
  }
  kept.delete(id)
  const url = URL.createObjectURL(new Blob(parts, { type: 'application/zip' }))
  setTimeout(() => URL.revokeObjectURL(url), 120_000)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
