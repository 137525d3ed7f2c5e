import { useQuery } from '@tanstack/react-query'
import { askAhead, call, keyOf, type CallFailure } from '../calls/call.ts'
import { dressComing } from './dress.ts'
import { callsOf, type AnyResource, type AnyRow } from './resources.ts'

/** One record: shown from what is kept, refreshed behind. */
export function useRecord(resource: AnyResource, id: string | undefined) {
  const { get } = callsOf(resource)
  // The component is about to wait for the dress; the record is fetched meanwhile.
  if (id !== undefined && dressComing(resource)) void askAhead(get, { id } as never)
  return useQuery<AnyRow, CallFailure>({
    queryKey: keyOf(get, { id: id ?? '' }),
    queryFn: ({ signal }) => call(get, { id: id! }, { signal }),
    enabled: id !== undefined,
  })
}
