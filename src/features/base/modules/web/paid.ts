import { isPaid } from '#kit/describe/module.ts'
import { call, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { setModules } from '#kit/web/session/session.ts'
import { listModules, type Plugins } from '../endpoints.ts'
import { modules } from '../modules.ts'

const tell = ({ company, records }: Plugins): void =>
  setModules(modules.filter(({ id }) => isPaid(records, id, company)).map(({ name }) => name))

/** Tells the frame which modules the business has, now and whenever the answer changes. */
export async function learnModules(): Promise<void> {
  try {
    tell(
      await queryClient.fetchQuery({
        queryKey: keyOf(listModules, {}),
        queryFn: () => call(listModules, {}, { quiet: true }),
      }),
    )
  } catch {
    // While nobody has said, the server's answer counts.
  }
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated' && query.queryKey[0] === listModules.name && query.state.data)
    tell(query.state.data as Plugins)
})
