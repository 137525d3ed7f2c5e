import { useQuery } from '@tanstack/react-query'
import { callBytes, keyOf } from '#kit/web/calls/call.ts'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { paperPicture, paperThumbnail } from '../endpoints.ts'

/**
 * The token goes in a header, never in an address: so pictures are fetched like any answer. `version` changes
 * when a paper is read again.
 */
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
  return { url: useObjectUrl(data), failed: isError }
}

export function useThumbnail(id: string, exists: boolean): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(paperThumbnail, { id }),
    queryFn: async ({ signal }) => (await callBytes(paperThumbnail, { id }, { signal, quiet: true })).blob,
    enabled: exists,
    staleTime: Infinity,
  })
  return useObjectUrl(data)
}
