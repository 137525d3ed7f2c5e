import { trades, type Trade } from '#kit/describe/area.ts'
import { call, queryClient, putAnswer } from '#kit/web/calls/call.ts'
import { session, setSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { chooseAreas, listAreas } from '../endpoints.ts'
import './modules.css'

/** Keeps a choice; menu, search and screens follow at once. */
export async function choose(change: {
  trades?: Trade[]
  areas?: Record<string, boolean>
  told?: true
}): Promise<void> {
  const next = await call(chooseAreas, change)
  putAnswer(listAreas, {}, next)
  const held = session()
  if (held)
    setSession({
      ...held,
      menuTold: next.told,
      areasOff: next.rows.filter(({ on }) => !on).map(({ name }) => name),
      areasHidden: next.rows.filter(({ shown }) => !shown).map(({ name }) => name),
    })
  void queryClient.invalidateQueries()
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
          onClick={() =>
            onChange(value.includes(trade) ? value.filter((one) => one !== trade) : [...value, trade])
          }
        >
          {t(`modules.trades.${trade}`)}
        </button>
      ))}
    </fieldset>
  )
}
