import { Link } from 'react-aria-components/Link'
import { formatDay, formatNumber } from '#domain/format.ts'
import { toWholeShekels } from '#domain/money.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import type { Forecast } from '../endpoints.ts'

type Movement = Forecast['movements'][number]

/**
 * What a point of the line is made of: what there was, each that comes and goes that day with its paper, what
 * there is then.
 */
export function DayDialog({ data, day, onClose }: { data: Forecast; day: string; onClose: () => void }) {
  const t = useWords()
  const at = data.points.findIndex((one) => one.day === day)
  const point = data.points[at]
  if (!point) return null
  const before = data.points[at - 1]
  const moves = data.movements.filter((one) => one.day === day)
  return (
    <Dialog isOpen onClose={onClose} size="l" title={<Num>{formatDay(day)}</Num>}>
      <table className="k-mini bu-day" aria-label={t('forecast.days')}>
        <tbody>
          {before ? (
            <Row name={t('forecast.before')} agorot={before.agorot} />
          ) : (
            data.accounts.map(({ name, agorot, open }) => (
              <Row key={name} name={name} agorot={agorot} open={open} />
            ))
          )}
          {moves.map((one, i) => (
            <Row key={i} name={nameOf(t, one)} note={noteOf(t, one)} agorot={one.agorot} open={one.open} />
          ))}
          {before && moves.length === 0 && (
            <tr>
              <td colSpan={2} className="hint">
                {t('forecast.nothing')}
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('forecast.columns.balance')}</th>
            <td className="amount">
              <b>
                <MoneyCell value={point.agorot} zero="show" late={point.agorot < 0} />
              </b>
            </td>
          </tr>
        </tfoot>
      </table>
    </Dialog>
  )
}

function Row({
  name,
  note,
  agorot,
  open,
}: {
  name: string
  note?: string
  agorot: number
  open?: string | null
}) {
  return (
    <tr>
      <th scope="row">
        {open ? (
          <Link href={open} className="link aim">
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
        {note && <span className="hint text-12 note">{note}</span>}
      </th>
      <td className="amount">
        <MoneyCell value={agorot} zero="show" />
      </td>
    </tr>
  )
}

const nameOf = (t: Words, { kind, who }: Movement): string => (who ? who : t(`forecast.kinds.${kind}`))

/** What it is, and how its day was found. */
function noteOf(t: Words, { kind, who, what, late, parts }: Movement): string {
  const said = [
    who ? t(`forecast.kinds.${kind}`) : '',
    what,
    late
      ? t(`forecast.late.${late.by}.${late.days > 0 ? 'later' : late.days < 0 ? 'earlier' : 'onTime'}`, {
          count: Math.abs(late.days),
        })
      : '',
    ...(parts ?? [])
      .filter(({ agorot }) => agorot !== 0)
      .map(({ what: part, agorot }) => t(`forecast.parts.${part}`, { sum: shown(agorot) })),
  ]
  return said.filter(Boolean).join(' · ')
}

const shown = (agorot: number): string => formatNumber(toWholeShekels(agorot))
