import { ChartLine } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatMoney, formatNumber, formatShortMoney } from '#domain/format.ts'
import { toWholeShekels, type Agorot } from '#domain/money.ts'
import { useLanguage } from '../words/words.tsx'
import { ChartCard, type Drawn } from './ChartCard.tsx'
import { Num } from './Num.tsx'
import { usePhone } from './useMedia.ts'

export interface LinePoint {
  /** What it is called in the table and when it is pointed at. */
  name: string
  /** Under the axis; most points have none. */
  tick?: string
  value: Agorot
}

export interface LineChartProps {
  title: string
  hint?: string
  points: readonly LinePoint[]
  /** The name of the line, where there is another beside it. */
  name: string
  /** A second line, dashed: what would be otherwise. */
  beside?: { name: string; values: readonly Agorot[] }
  /** A level somebody wants to stay above. */
  floor?: { name: string; value: Agorot }
  /** The point that is named in the drawing. */
  marked?: number
  /** The labels of the axis. */
  along: string
  /** Opens what a point is made of. */
  onOpen?: (point: number) => void
  end?: ReactNode
}

/** Round steps of an axis between two values, zero among them. */
export function stepsBetween(least: Agorot, most: Agorot): Agorot[] {
  const low = Math.min(0, least)
  const high = Math.max(0, most)
  const room = Math.max(high - low, 100_00)
  const power = 10 ** Math.floor(Math.log10(room))
  const step =
    [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5].map((part) => part * power).find((one) => room / one <= 5) ?? power
  const from = Math.floor(low / step)
  const to = Math.max(from + 1, Math.ceil(high / step))
  return Array.from({ length: to - from + 1 }, (_, i) => Math.round((from + i) * step))
}

const AXIS = 44
const TOP = 12
const FOOT = 22

/**
 * A line over days, above and below zero. In right-to-left pages time runs from right to left. A pointer or
 * the arrow keys go along it and read each point out, Enter or a press opens it; the table behind it is one
 * press away.
 */
export function LineChart({
  title,
  hint,
  points,
  name,
  beside,
  floor,
  marked,
  along,
  onOpen,
  end,
}: LineChartProps) {
  const { dir } = useLanguage()
  const phone = usePhone()
  const [at, setAt] = useState<number>()
  const width = phone ? 340 : 860
  const height = phone ? 240 : 280
  const rtl = dir === 'rtl'
  const series: Drawn[] = [
    { name, color: 1, values: points.map(({ value }) => value) },
    ...(beside ? [{ ...beside, color: 3 }] : []),
  ]
  const values = [...series.flatMap((one) => one.values), ...(floor ? [floor.value] : [])]
  const steps = stepsBetween(Math.min(...values), Math.max(...values))
  const [low, high] = [steps[0]!, steps.at(-1)!]
  const bottom = height - FOOT
  const y = (value: Agorot) => TOP + ((bottom - TOP) * (high - value)) / (high - low)
  const room = width - AXIS - 6
  const x = (i: number) => {
    const gone = (room * i) / Math.max(1, points.length - 1)
    return rtl ? width - AXIS - gone : AXIS + gone
  }
  // A balance stays what it is until it moves: steps, not slopes.
  const path = (line: readonly Agorot[]) =>
    line.map((value, i) => (i === 0 ? `M${x(0)} ${y(value)}` : `H${x(i)}V${y(value)}`)).join('')
  const line = path(points.map(({ value }) => value))
  const shown = at ?? marked ?? 0
  const told = points[shown]
  const near = (event: React.PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const along = ((event.clientX - box.left) / box.width) * width
    const part = (rtl ? width - AXIS - along : along - AXIS) / room
    return Math.min(points.length - 1, Math.max(0, Math.round(part * (points.length - 1))))
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, PageUp: 7, PageDown: -7 }[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? points.length - 1
          : by === undefined
            ? undefined
            : shown + by
    if (next !== undefined) setAt(Math.min(points.length - 1, Math.max(0, next)))
    else if (event.key === 'Enter' && onOpen) onOpen(shown)
    else return
    event.preventDefault()
  }
  return (
    <ChartCard
      title={title}
      hint={hint}
      icon={ChartLine}
      series={series}
      rows={points.map((point) => point.name)}
      along={along}
      end={end}
      // Days on which nothing moves say nothing.
      isSaid={(i) => i === 0 || series.some(({ values }) => values[i] !== values[i - 1])}
    >
      <p className="k-line-told" aria-hidden="true">
        {told && (
          <>
            <span>{told.name}</span>
            <b data-below={told.value < 0 ? '' : undefined}>
              <Num>{formatNumber(toWholeShekels(told.value))}</Num>
            </b>
          </>
        )}
      </p>
      <div className="k-chart-room" style={{ aspectRatio: `${width} / ${height}` }}>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no range input draws a line */}
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className="k-chart k-line"
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={0}
          aria-valuemax={points.length - 1}
          aria-valuenow={shown}
          aria-valuetext={told && `${told.name}: ${formatMoney(told.value)}`}
          onKeyDown={onKeyDown}
          onPointerMove={(event) => setAt(near(event))}
          onPointerLeave={() => setAt(undefined)}
          onClick={(event) => onOpen?.(near(event as unknown as React.PointerEvent<SVGSVGElement>))}
          style={onOpen && { cursor: 'pointer' }}
        >
          {steps.map((step) => (
            <g key={step}>
              <line
                x1={rtl ? 6 : AXIS}
                x2={rtl ? width - AXIS : width - 6}
                y1={y(step)}
                y2={y(step)}
                stroke={step === 0 ? 'var(--ink-3)' : 'var(--line)'}
              />
              <text x={rtl ? width : 0} y={y(step) + 4} textAnchor={rtl ? 'end' : 'start'} direction="ltr">
                {formatShortMoney(step)}
              </text>
            </g>
          ))}
          <path d={`${line}V${y(Math.max(0, low))}H${x(0)}Z`} fill="var(--chart-fill)" opacity={0.6} />
          {floor && (
            <line
              x1={rtl ? 6 : AXIS}
              x2={rtl ? width - AXIS : width - 6}
              y1={y(floor.value)}
              y2={y(floor.value)}
              stroke="var(--warn-line)"
              strokeDasharray="2 4"
              strokeWidth={1.5}
            >
              <title>{floor.name}</title>
            </line>
          )}
          {beside && (
            <path
              d={path(beside.values)}
              fill="none"
              stroke="var(--chart-3)"
              strokeDasharray="5 4"
              strokeWidth={1.5}
            />
          )}
          <path d={line} fill="none" stroke="var(--chart-1)" strokeWidth={2} strokeLinejoin="round" />
          {at !== undefined && <line x1={x(at)} x2={x(at)} y1={TOP} y2={bottom} stroke="var(--line-2)" />}
          {told && (
            <circle
              cx={x(shown)}
              cy={y(told.value)}
              r={4.5}
              fill={told.value < 0 ? 'var(--danger)' : 'var(--chart-1)'}
              stroke="var(--surface)"
              strokeWidth={2}
            />
          )}
          {points.map(({ tick }, i) =>
            tick === undefined ? null : (
              <text key={i} x={x(i)} y={bottom + 17} textAnchor="middle">
                {tick}
              </text>
            ),
          )}
        </svg>
      </div>
    </ChartCard>
  )
}
