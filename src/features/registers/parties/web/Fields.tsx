import { call } from '#kit/web/calls/call.ts'
import { setOrder } from '../endpoints.ts'
import { SlidersHorizontal } from 'lucide-react'
import { useWords } from '#kit/web/words/words.tsx'
import { customerFields } from '../classifications.ts'
import { Ordered } from '#kit/web/screens/Ordered.tsx'
import { customers } from '../customers.ts'
import './dress.tsx'

/** The fields a business invents for its customers: they stand in the form, on the card and in the export. */
export function Screen() {
  const t = useWords()
  return (
    <Ordered
      of={customers}
      resource={customerFields}
      order={(ids) => call(setOrder, { of: 'customerFields', ids })}
      icon={SlidersHorizontal}
      lead={(row) => (
        <span className="what">
          <b>
            <bdi>{String(row.name)}</bdi>
          </b>
          <span className="hint text-13">
            {t(`customerFields.kind.${String(row.kind)}`)}
            {row.kind === 'choice' && (
              <>
                {': '}
                <bdi>{((row.choices as string[] | null) ?? []).join(', ')}</bdi>
              </>
            )}
            {row.needed === true && ` · ${t('customerFields.fields.needed')}`}
          </span>
        </span>
      )}
    />
  )
}
