import { queryClient } from '#kit/web/calls/call.ts'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { leadBoard, leadHistory, leadTwins, listIntakes, listKinds, listStages } from '../endpoints.ts'
import { leads } from '../leads.ts'

/** After a change here or elsewhere: board, list and open sheets ask again. */
export const refreshLeads = (): Promise<unknown> =>
  Promise.all([
    refreshResource(leads),
    ...[leadBoard, leadHistory, leadTwins, listIntakes].map(({ name }) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  ])

export const refreshSetUp = (): Promise<unknown> =>
  Promise.all([listStages, listKinds].map(({ name }) => queryClient.invalidateQueries({ queryKey: [name] })))
