import { keyOf, queryClient } from '#kit/web/calls/call.ts'
import { cashForecast, listSums } from '../endpoints.ts'

/** What changes the forecast asks for it again. */
export const refreshForecast = () =>
  Promise.all(
    [cashForecast, listSums].map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })),
  )
