import { call, callBytes, keyOf, queryClient } from '#kit/web/calls/call.ts'
import { session } from '#kit/web/session/session.ts'
import { fitShell } from '#kit/web/shell/registry.ts'
import { getCompany, getLogo, type Company } from '../endpoints.ts'

let shown: string | undefined
let url: string | undefined

/** Puts the business's logo and number into the frame, and follows them when they change. */
export async function fitBusiness(): Promise<void> {
  try {
    const company = await queryClient.ensureQueryData({
      queryKey: keyOf(getCompany, {}),
      queryFn: () => call(getCompany, {}, { quiet: true }),
    })
    await show(company)
  } catch {
    // The frame does without.
  }
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type === 'updated' && query.queryKey[0] === getCompany.name && query.state.data)
    void show(query.state.data as Company).catch(() => undefined)
})

async function show(company: Company): Promise<void> {
  const now = `${company.id} ${company.logoVersion} ${company.kind} ${company.taxId}`
  if (now === shown || !session()) return
  shown = now
  let logo: string | undefined
  if (company.hasLogo)
    logo = URL.createObjectURL(
      (await callBytes(getLogo, { v: company.logoVersion ?? '' }, { quiet: true })).blob,
    )
  if (url) URL.revokeObjectURL(url)
  url = logo
  fitShell({ logo, company: { word: `companies.kind.${company.kind}`, number: company.taxId } })
}
