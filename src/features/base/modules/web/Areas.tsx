import { useState } from 'react'
import { trades, type Trade } from '#kit/describe/area.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import { chooseAreas, listAreas } from '../endpoints.ts'
import './modules.css'

/** Keeps a choice; menu, palette and screens follow with the next answer of the server. */
export async function choose(change: { trades?: Trade[]; areas?: Record<string, boolean> }): Promise<void> {
  queryClient.setQueryData(keyOf(listAreas, {}), await call(chooseAreas, change))
  void queryClient.invalidateQueries()
}

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
          <TradeChoice value={data.trades ?? []} disabled={!may || busy} onChange={(next) => void put({ trades: next })} />
          {data.rows.map(({ name, on }) => (
            <FlagField
              key={name}
              label={t(`areas.${name}`)}
              hint={t(`areas.${name}.text`)}
              value={on}
              disabled={!may || busy}
              onChange={(next) => void put({ areas: { [name]: next } })}
            />
          ))}
        </div>
      )}
    </Card>
  )
}

/** What a business does: as many as fit. */
export function TradeChoice({
  value,
  onChange,
  disabled = false,
  hideTitle = false,
}: {
  value: readonly Trade[]
  onChange: (next: Trade[]) => void
  disabled?: boolean
  /** Where a heading over it asks already. */
  hideTitle?: boolean
}) {
  const t = useWords()
  return (
    <fieldset className="mo-trades">
      <legend className={hideTitle ? 'vh' : undefined}>{t('modules.trades.title')}</legend>
      {trades.map((trade) => (
        <button
          key={trade}
          type="button"
          className="mo-trade"
          aria-pressed={value.includes(trade)}
          disabled={disabled}
          onClick={() => onChange(value.includes(trade) ? value.filter((one) => one !== trade) : [...value, trade])}
        >
          {t(`modules.trades.${trade}`)}
        </button>
      ))}
    </fieldset>
  )
}
