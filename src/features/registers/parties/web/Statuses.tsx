import { call } from '#kit/web/calls/call.ts'
import { setOrder } from '../endpoints.ts'
import { Tags } from 'lucide-react'
import { Link } from 'react-aria-components/Link'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { customerStatuses } from '../classifications.ts'
import { StatusDot } from './dress.tsx'
import { Ordered } from '#kit/web/screens/Ordered.tsx'
import './dress.tsx'

/** The states a customer can be in, in the order of the business, each in its colour. */
export function Screen() {
  const t = useWords()
  return (
    <Ordered
      of={customers}
      resource={customerStatuses}
      order={(ids) => call(setOrder, { of: 'customerStatuses', ids })}
      icon={Tags}
      lead={(row) => (
        <span className="what">
          <b>
            <StatusDot name={String(row.name)} color={String(row.color)} />
          </b>
          <Link
            className="hint aim text-13 hover:underline"
            href={`${customers.screens.list}?statusId=${row.id}`}
          >
            {t('customers.sorts.count', { count: Number(row.customers ?? 0) })}
          </Link>
        </span>
      )}
    />
  )
}
