import { useCallback, useMemo, useSyncExternalStore } from 'react'

const madeFor = new WeakMap<readonly Blob[], readonly string[]>()

/**
 * The addresses of blobs, for an `img` or a frame; undefined until the component is on the page, and for no
 * blobs. They are revoked when the blobs change or the component goes, `keepMs` later where the old picture
 * is still shown for a moment. `blobs` must stay the same array.
 */
export function useObjectUrls(
  blobs: readonly Blob[] | undefined,
  keepMs?: number,
): readonly string[] | undefined {
  const subscribe = useCallback(
    (changed: () => void) => {
      if (!blobs) return () => {}
      const urls = blobs.map((blob) => URL.createObjectURL(blob))
      const revoke = () => urls.forEach((url) => URL.revokeObjectURL(url))
      madeFor.set(blobs, urls)
      changed()
      return () => {
        madeFor.delete(blobs)
        if (keepMs === undefined) revoke()
        else setTimeout(revoke, keepMs)
      }
    },
    [blobs, keepMs],
  )
  return useSyncExternalStore(subscribe, () => blobs && madeFor.get(blobs))
}

/** The address of one blob. */
export function useObjectUrl(blob: Blob | null | undefined): string | undefined {
  const blobs = useMemo(() => (blob ? [blob] : undefined), [blob])
  return useObjectUrls(blobs)?.[0]
}
