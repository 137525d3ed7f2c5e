import { trades, type Trade } from '#kit/describe/area.ts'
import { call, queryClient, putAnswer } from '#kit/web/call.ts'
import { useWords } from '#kit/web/words.tsx'
import { chooseAreas, listAreas } from '../endpoints.ts'
import './modules.css'

/** Keeps a choice; menu, palette and screens follow with the next answer of the server. */
export async function choose(change: { trades?: Trade[]; areas?: Record<string, boolean> }): Promise<void> {
  putAnswer(listAreas, {}, await call(chooseAreas, change))
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
