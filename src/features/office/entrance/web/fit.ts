import { call, callBytes, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { fitShell } from '#kit/web/shell/registry.ts'
import { getCompany, getLogo } from '#features/base/companies/endpoints.ts'

type Company = Awaited<ReturnType<typeof call<typeof getCompany>>>

let shown: string | undefined

/** The frame wears the business's own logo, and follows it when the settings change it. */
async function wear({ kind, taxId, hasLogo, logoVersion }: Company): Promise<void> {
  fitShell({ company: { word: `session.kind.${kind}`, number: taxId } })
  const version = hasLogo ? (logoVersion ?? 'first') : undefined
  if (version === shown) return
  shown = version
  const logo =
    version === undefined
      ? undefined
      : URL.createObjectURL(
          (await callBytes(getLogo, logoVersion ? { v: logoVersion } : {}, { quiet: true })).blob,
        )
  if (version === shown) fitShell({ logo })
}

let listening = false

/** Asks for the business once somebody is in; its kept answer serves the screens too. */
export async function fit(): Promise<void> {
  shown = undefined
  if (!listening) {
    listening = true
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === getCompany.name && query.state.data)
        void wear(query.state.data as Company).catch(() => undefined)
    })
  }
  await queryClient
    .fetchQuery({ queryKey: keyOf(getCompany, {}), queryFn: () => call(getCompany, {}, { quiet: true }) })
    .catch(() => undefined)
}
