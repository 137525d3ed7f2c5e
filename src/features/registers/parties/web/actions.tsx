import { lazy } from 'react'
import { queryClient } from '#kit/web/calls/call.ts'
import { show } from '#kit/web/parts/shown.ts'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { customers } from '../customers.ts'
import { findDoubles, mergeCustomers } from '../endpoints.ts'
import type { MergeKind } from './mergeKind.ts'
import { openDoublesOf, openMergeOf } from './openMerge.tsx'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'

const ChangeManyDialog = lazy(() =>
  fetchPart(() => import('./ChangeManyDialog.tsx')).then((m) => ({ default: m.ChangeManyDialog })),
)
const LinkDialog = lazy(() =>
  fetchPart(() => import('./LinkDialog.tsx')).then((m) => ({ default: m.LinkDialog })),
)
const ProposalsSheet = lazy(() =>
  fetchPart(() => import('./ProposalsSheet.tsx')).then((m) => ({ default: m.ProposalsSheet })),
)
const ConsentDialog = lazy(() =>
  fetchPart(() => import('./ConsentDialog.tsx')).then((m) => ({ default: m.ConsentDialog })),
)
const MoveInDialog = lazy(() =>
  fetchPart(() => import('./MoveInDialog.tsx')).then((m) => ({ default: m.MoveInDialog })),
)

/* What opens over the page. The dialogs come when they are first asked for. */

const merging: MergeKind = {
  resource: customers,
  merge: mergeCustomers,
  doubles: findDoubles,
  refresh: refreshCustomers,
}

export const openMerge = (ids: readonly string[]): void => openMergeOf(merging, ids)
export const openDoubles = (): void => openDoublesOf(merging)
export const openChangeMany = (ids: readonly string[]): void =>
  show((close) => <ChangeManyDialog ids={ids} onClose={close} />)
export const openLink = (): void => show((close) => <LinkDialog onClose={close} />)
export const openProposals = (): void => show((close) => <ProposalsSheet onClose={close} />)
export const openConsent = (id: string, name: string): void =>
  show((close) => <ConsentDialog id={id} name={name} onClose={close} />)
export const openMoveIn = (id: string, name: string): void =>
  show((close) => <MoveInDialog id={id} name={name} onClose={close} />)

/** Whatever shows customers, or counts them, is asked again. */
export async function refreshCustomers(): Promise<void> {
  await Promise.all([
    refreshResource(customers),
    ...[
      'customers.activity',
      'customers.tags',
      'customers.doubles',
      'customerProposals.list',
      'customerTypes.list',
      'customerStatuses.list',
      'portfolios.list',
      'customerContacts.list',
      'customerAddresses.list',
      'documents.list',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  ])
}
