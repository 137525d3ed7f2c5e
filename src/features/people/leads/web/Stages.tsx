import { CircleDot } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { call, useCall } from '#kit/web/calls/call.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Ordered } from '#kit/web/screens/Ordered.tsx'
import { listStages, orderStages } from '../endpoints.ts'
import { leads, leadStages, type Outcome } from '../leads.ts'
import { Dot, OutcomePill } from './dress.tsx'
import { refreshSetUp } from './shared.ts'

/**
 * The stages of leads in the order of the business: each with its colour, what it means, and after how many
 * days a lead in it is stale.
 */
export function Screen() {
  const t = useWords()
  // The usual ones are made when they are first looked for.
  const { data } = useCall(listStages, {})
  if (!data) return null
  return (
    <Ordered
      resource={leadStages}
      of={leads}
      icon={CircleDot}
      order={async (ids) => {
        await call(orderStages, { ids })
        await refreshSetUp()
      }}
      lead={(row) => (
        <span className="what">
          <b>
            <Dot name={String(row.name)} color={String(row.color)} />
          </b>{' '}
          {row.outcome !== 'open' && <OutcomePill outcome={row.outcome as Outcome} />}{' '}
          {row.staleDays !== null && row.staleDays !== undefined && (
            <span className="hint text-13">
              {t('leadStages.staleAfter', { count: Number(row.staleDays) })}
            </span>
          )}{' '}
          <Link
            className="hint aim text-13 hover:underline"
            href={`${leads.screens.list}?show=list&stageId=${row.id}`}
          >
            {t('leads.count', { count: Number(row.leads ?? 0) })}
          </Link>
        </span>
      )}
    />
  )
}
