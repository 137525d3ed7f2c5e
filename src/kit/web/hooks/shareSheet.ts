/** Whether this device has a sheet to hand things on by, as phones have. */
export const hasShareSheet = (): boolean => typeof navigator.share === 'function'

/**
 * Opens the device's own sheet over a file, or over an address where files are not taken (or their bytes took
 * longer than the press is remembered). Closing it without choosing is no failure.
 */
export async function openShareSheet(of: { title: string; url: string; file?: File }): Promise<void> {
  const whole = { title: of.title, ...(of.file ? { files: [of.file] } : { url: of.url }) }
  try {
    if (of.file && !navigator.canShare?.(whole)) return await openShareSheet({ title: of.title, url: of.url })
    await navigator.share(whole)
  } catch (e) {
    if (e instanceof DOMException && e.name === 'AbortError') return
    if (!of.file) throw e
    await openShareSheet({ title: of.title, url: of.url })
  }
}
