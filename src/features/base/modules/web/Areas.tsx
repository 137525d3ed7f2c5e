import { useState } from 'react'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listAreas } from '../endpoints.ts'
import { choose, TradeChoice } from './Trades.tsx'
import './modules.css'

/** What the business uses of the product, free of charge. */
export function Areas() {
  const t = useWords()
  const may = useCan()('modules')
  const [busy, setBusy] = useState(false)
  const { data } = useCall(listAreas, {})
  const put = async (change: Parameters<typeof choose>[0]) => {
    setBusy(true)
    try {
      await choose(change)
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <Card title={t('modules.areas.title')} hint={t('modules.areas.hint')}>
      {!data ? (
        <Skeleton lines={6} />
      ) : (
        <div className="mo-areas">
          <TradeChoice
            value={data.trades ?? []}
            disabled={!may || busy}
            onChange={(next) => void put({ trades: next })}
          />
          {data.rows.map(({ name, shown }) => (
            <FlagField
              key={name}
              label={t(`areas.${name}`)}
              hint={t(`areas.${name}.text`)}
              value={shown}
              disabled={!may || busy}
              onChange={(next) => void put({ areas: { [name]: next } })}
            />
          ))}
        </div>
      )}
    </Card>
  )
}
