import { ChartColumn } from 'lucide-react'
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { formatMoney, formatShortMoney } from '#domain/format.ts'
import type { Agorot } from '#domain/money.ts'
import { useLanguage, useWords } from '../words/words.tsx'
import { ChartCard, type Drawn } from './ChartCard.tsx'
import { usePhone } from './useMedia.ts'

export interface BarSeries extends Drawn {
  /** Income is always chart 1, expense chart 2. */
  color: 1 | 2 | 3 | 4 | 5 | 6
}

export interface BarChartProps {
  title: string
  hint?: string
  /** Short names of the months, oldest first. */
  months: readonly string[]
  series: readonly BarSeries[]
  /** The labels of the axis; months when absent. */
  along?: string
  /** Which month is now; the last by default. */
  now?: number
  /** Opens the month. */
  onOpen?: (month: number) => void
  /** In the head beside the legend. */
  end?: ReactNode
}

/** Steps of the value axis: three or four round ones that cover the highest bar, in agorot. */
export function axisSteps(highest: Agorot): Agorot[] {
  const top = Math.max(highest, 100_00)
  const power = 10 ** Math.floor(Math.log10(top))
  const step = [0.25, 0.5, 1, 2, 2.5, 5].map((part) => part * power).find((one) => top / one <= 4) ?? power
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, i) => Math.round(i * step))
}

const WIDTH = 620
const HEIGHT = 244
const AXIS = 40
const TOP = 14
/** Under the bars stand the months. */
const FOOT = 22

/**
 * How high the drawing is in its own units: a chart beside something long grows with it, and its letters stay
 * as they are.
 */
function useHeight(width: number) {
  const room = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(HEIGHT)
  useLayoutEffect(() => {
    const element = room.current
    if (!element) return
    const measure = () => {
      if (element.clientWidth > 0)
        setHeight(Math.max(HEIGHT, Math.round((width * element.clientHeight) / element.clientWidth)))
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    return () => watch.disconnect()
  }, [width])
  return { room, height }
}

/**
 * A few series of months as bars. In right-to-left pages time runs from right to left and the values stand at
 * the right, as in the table behind it, which is one press away. Read aloud it is one sentence: its highest
 * point.
 */
export function BarChart({
  title,
  hint,
  months,
  series,
  along,
  now = months.length - 1,
  onOpen,
  end,
}: BarChartProps) {
  const t = useWords()
  const { dir } = useLanguage()
  const phone = usePhone()
  const highest = series
    .flatMap((one) => one.values.map((value, month) => ({ value, month, name: one.name })))
    .reduce((best, one) => (one.value > best.value ? one : best), {
      value: 0,
      month: now,
      name: series[0]?.name ?? '',
    })
  const summary = t('kit.chart.summary', {
    title,
    name: highest.name,
    value: formatMoney(highest.value),
    month: months[highest.month] ?? '',
  })
  return (
    <ChartCard
      {...{ title, hint, series, end }}
      icon={ChartColumn}
      rows={months}
      along={along ?? t('kit.chart.month')}
    >
      <Bars {...{ months, series, now, onOpen, summary, dir, phone }} highest={highest.value} />
    </ChartCard>
  )
}

function Bars({
  months,
  series,
  now,
  onOpen,
  summary,
  dir,
  phone,
  highest,
}: Pick<BarChartProps, 'months' | 'series' | 'onOpen'> & {
  now: number
  summary: string
  dir: 'rtl' | 'ltr'
  phone: boolean
  highest: Agorot
}) {
  const steps = axisSteps(highest)
  const top = steps.at(-1)!
  const width = phone ? 340 : WIDTH
  const { room: place, height: whole } = useHeight(width)
  const floor = whole - FOOT
  const room = width - AXIS
  const slot = room / Math.max(1, months.length)
  const gap = phone ? 2 : 3
  const bar = Math.min(12, (slot - 6) / series.length - gap)
  const rtl = dir === 'rtl'
  const y = (value: Agorot) => floor - ((floor - TOP) * Math.max(0, value)) / top
  // Drawn as read: the first month at the reading side, the axis before it.
  const x = (along: number) => (rtl ? room - along : AXIS + along)
  return (
    <div ref={place} className="k-chart-room" style={{ aspectRatio: `${width} / ${HEIGHT}` }}>
      <svg viewBox={`0 0 ${width} ${whole}`} className="k-chart" role="img" aria-label={summary}>
        {steps.map((step) => (
          <g key={step}>
            <line
              x1={rtl ? 0 : AXIS}
              x2={rtl ? room : width}
              y1={y(step)}
              y2={y(step)}
              stroke={step === 0 ? 'var(--line-2)' : 'var(--line)'}
            />
            <text x={rtl ? width : 0} y={y(step) + 4} textAnchor={rtl ? 'end' : 'start'} direction="ltr">
              {formatShortMoney(step)}
            </text>
          </g>
        ))}
        {months.map((month, i) => {
          const middle = slot * (i + 0.5)
          const all = series.length * bar + (series.length - 1) * gap
          return (
            <g
              key={i}
              className="hit"
              onClick={onOpen && (() => onOpen(i))}
              style={onOpen ? { cursor: 'pointer' } : undefined}
            >
              <title>{`${month}: ${series.map((one) => `${one.name} ${formatMoney(one.values[i] ?? 0)}`).join(' · ')}`}</title>
              <rect x={x(middle) - slot / 2} y={TOP} width={slot} height={floor - TOP} fill="transparent" />
              {series.map((one, s) => {
                const value = one.values[i] ?? 0
                const height = floor - y(value)
                const start = middle - all / 2 + s * (bar + gap)
                const left = rtl ? x(start) - bar : x(start)
                const round = Math.min(3, height)
                return height < 0.5 ? null : (
                  <path
                    key={one.name}
                    className="bar"
                    fill={`var(--chart-${one.color})`}
                    d={`M${left} ${floor}v${-(height - round)}a${round} ${round} 0 0 1 ${round} ${-round}h${bar - 2 * round}a${round} ${round} 0 0 1 ${round} ${round}v${height - round}Z`}
                  />
                )
              })}
              {(!phone || (now - i) % 2 === 0) && (
                <text x={x(middle)} y={floor + 17} textAnchor="middle" data-now={i === now ? '' : undefined}>
                  {month}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </div>
  )
}

/** Twelve small bars beside a figure: the past pale, now in full. */
export function Sparkbars({
  values,
  label,
  now = values.length - 1,
}: {
  values: readonly Agorot[]
  label: string
  now?: number
}) {
  const { dir } = useLanguage()
  const top = Math.max(1, ...values)
  const slot = 300 / Math.max(1, values.length)
  return (
    <svg viewBox="0 0 300 52" className="block w-full" role="img" aria-label={label}>
      {values.map((value, i) => {
        const height = Math.max(2, (50 * Math.max(0, value)) / top)
        const place = dir === 'rtl' ? 300 - slot * (i + 1) : slot * i
        return (
          <rect
            key={i}
            x={place + 3}
            width={slot - 6}
            y={52 - height}
            height={height}
            rx={3}
            fill={i === now ? 'var(--chart-1)' : 'var(--accent-line)'}
          />
        )
      })}
    </svg>
  )
}
