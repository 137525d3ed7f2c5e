import { useQuery } from '@tanstack/react-query'
import { call, keyOf, type CallFailure } from '../call.ts'
import { callsOf, type AnyResource, type AnyRow } from './resources.ts'

/** One record: shown from what is kept, refreshed behind. */
export function useRecord(resource: AnyResource, id: string | undefined) {
  const { get } = callsOf(resource)
  return useQuery<AnyRow, CallFailure>({
    queryKey: keyOf(get, { id: id ?? '' }),
    queryFn: ({ signal }) => call(get, { id: id! }, { signal }),
    enabled: id !== undefined,
  })
}
