import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callBytes, keyOf } from '#kit/web/call.ts'
import { paperPicture, paperThumbnail } from '../endpoints.ts'

/** An address an `img` can show, for as long as the blob is held. */
function useBlobUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [blob])
  return url
}

/** The token goes in a header, never in an address: so pictures are fetched like any answer. `version` changes when a paper is read anew. */
export function usePicture(
  id: string,
  page: number,
  version: string,
): { url: string | undefined; failed: boolean } {
  const { data, isError } = useQuery({
    queryKey: [...keyOf(paperPicture, { id, page }), version],
    queryFn: async ({ signal }) =>
      (await callBytes(paperPicture, { id, page }, { signal, quiet: true })).blob,
    staleTime: Infinity,
  })
  return { url: useBlobUrl(data), failed: isError }
}

export function useThumbnail(id: string, exists: boolean): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(paperThumbnail, { id }),
    queryFn: async ({ signal }) => (await callBytes(paperThumbnail, { id }, { signal, quiet: true })).blob,
    enabled: exists,
    staleTime: Infinity,
  })
  return useBlobUrl(data)
}
