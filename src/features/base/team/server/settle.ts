import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  checkedLists,
  given,
  grantOf,
  refuseBeyond,
  refuseSilentEverything,
  rightNames,
  type GivenRights,
  type Settled,
} from './people.ts'
import { setNumbered, takeStarter } from './sets.ts'

/** The resulting rights of a person: those of a set, or individual ones. Refuses what the caller does not have. */
export async function settleRights(ctx: Ctx, of: GivenRights, before: Settled | undefined): Promise<Settled> {
  const start: Settled = before ?? {
    ruleId: 0,
    rules: [],
    docsAllow: [],
    hideTotalPrices: false,
    ownCustomersOnly: false,
    hideNavHeader: false,
    isActiveButton: true,
  }
  let after: Settled
  if (of.starter || of.ruleId) {
    const set = of.starter ? await takeStarter(ctx, of.starter) : await setNumbered(ctx, of.ruleId!)
    const { rules, docsAllow, hideTotalPrices, ownCustomersOnly, hideNavHeader } = set
    // A limit that the set has not must not be thought to hold.
    const asked = {
      ...given({ ...of, rules: undefined, docsAllow: undefined }),
      ...checkedLists(of),
    } as GivenRights
    if (
      rightNames.some(
        (name) => asked[name] !== undefined && JSON.stringify(asked[name]) !== JSON.stringify(set[name]),
      )
    )
      throw fail('team.bySet')
    after = {
      ...start,
      ruleId: set.number,
      rules,
      docsAllow,
      hideTotalPrices,
      ownCustomersOnly,
      hideNavHeader,
    }
  } else {
    const own = { ...given({ ...of, rules: undefined, docsAllow: undefined }), ...checkedLists(of) }
    // Rights of a set are changed in the set, or the person leaves the set.
    if (start.ruleId && of.ruleId !== 0 && rightNames.some((name) => of[name] !== undefined))
      throw fail('team.bySet')
    const { starter: _, everything: __, ...rights } = own as GivenRights
    after = { ...start, ...(rights as Partial<Settled>), ruleId: of.ruleId ?? start.ruleId }
  }
  if (of.isActiveButton !== undefined) after.isActiveButton = of.isActiveButton
  refuseBeyond(ctx, grantOf(after))
  refuseSilentEverything(after, before, of.everything)
  return after
}
