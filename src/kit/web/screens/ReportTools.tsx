import { ArrowDown, ArrowUp, ChartBar, Columns3, SlidersHorizontal } from 'lucide-react'
import type { ReportAnswer } from '#kit/describe/report.ts'
import { canGroup, isLedger, mainFigure, versus, type ReportView } from '#kit/describe/reportView.ts'
import { FlagField } from '../fields/FlagField.tsx'
import { Button } from '../parts/Button.tsx'
import { Menu, type MenuEntry } from '../parts/Menu.tsx'
import { Popover } from '../parts/Popover.tsx'
import { useWords } from '../words/words.tsx'

/** What changes of a view; undefined takes it away. */
export type ViewChange = { [K in keyof ReportView]?: ReportView[K] | undefined }

interface ReportToolsProps {
  /** As the server answered it, before any view. */
  answer: ReportAnswer
  view: ReportView
  onView: (change: ViewChange) => void
  chart: boolean
  onChart: (on: boolean) => void
}

/**
 * The options of a report: how it is grouped, which period it is compared with, which columns it shows, and a
 * picture of it.
 */
export function ReportTools({ answer, view, onView, chart, onChart }: ReportToolsProps) {
  const t = useWords()
  const { shape } = answer
  const title = (name: string) => shape.columns[name]!.heading ?? t(`${shape.words}.columns.${name}`)
  const groups = isLedger(answer)
    ? []
    : Object.keys(shape.columns).filter((name) => canGroup(shape.columns[name]!))
  const draws = mainFigure(shape) !== undefined && groups.length > 0
  const entries: MenuEntry[] = [
    ...(groups.length > 0
      ? [
          {
            group: t('kit.reports.groupBy'),
            items: [
              {
                key: 'group',
                label: t('kit.reports.asItComes'),
                checked: view.group === undefined,
                onPress: () => onView({ group: undefined }),
              },
              ...groups.map((name) => ({
                key: `group-${name}`,
                label: title(name),
                checked: view.group === name,
                onPress: () => onView({ group: name }),
              })),
            ],
          },
        ]
      : []),
    ...(shape.compares || shape.budgets
      ? [
          {
            group: t('kit.reports.beside'),
            items: [
              undefined,
              ...versus.filter((vs) => (vs === 'budget' ? shape.budgets : shape.compares)),
            ].map((vs) => ({
              key: `vs-${vs ?? 'none'}`,
              label: t(`kit.reports.vs.${vs ?? 'none'}`),
              checked: view.vs === vs,
              onPress: () => onView({ vs }),
            })),
          },
        ]
      : []),
  ]
  return (
    <>
      {entries.length > 0 && (
        <Menu
          label={t('kit.reports.view')}
          items={entries}
          trigger={<Button kind="quiet" size="s" icon={SlidersHorizontal} label={t('kit.reports.view')} />}
        />
      )}
      {draws && (
        <Button
          kind="quiet"
          size="s"
          icon={ChartBar}
          label={t('kit.reports.chart')}
          pressed={chart}
          onPress={() => onChart(!chart)}
        />
      )}
    </>
  )
}

/** Which columns are shown and in which order; the last one cannot be hidden. */
export function ReportColumns({
  answer: { shape },
  view,
  onView,
}: Pick<ReportToolsProps, 'answer' | 'view' | 'onView'>) {
  const t = useWords()
  const title = (name: string) => shape.columns[name]!.heading ?? t(`${shape.words}.columns.${name}`)
  const all = Object.keys(shape.columns)
  const chosen = view.cols?.filter((name) => all.includes(name)) ?? []
  const shown = chosen.length > 0 ? chosen : all
  const put = (cols: readonly string[]) => onView({ cols: cols.join() === all.join() ? undefined : cols })
  const move = (at: number, by: 1 | -1) => {
    const next = [...shown]
    const [one] = next.splice(at, 1)
    next.splice(at + by, 0, one!)
    put(next)
  }
  return (
    <Popover
      label={t('kit.table.columns')}
      placement="bottom end"
      trigger={<Button kind="quiet" size="s" icon={Columns3} label={t('kit.table.columns')} />}
    >
      <ul className="d-cols">
        {[...shown, ...all.filter((name) => !shown.includes(name))].map((name) => {
          const at = shown.indexOf(name)
          return (
            <li key={name}>
              <FlagField
                label={title(name)}
                value={at >= 0}
                disabled={at >= 0 && shown.length === 1}
                onChange={(on) => put(on ? [...shown, name] : shown.filter((other) => other !== name))}
              />
              {at >= 0 && (
                <span className="acts">
                  <Button
                    kind="quiet"
                    size="s"
                    icon={ArrowUp}
                    label={t('kit.reports.earlier', { name: title(name) })}
                    isDisabled={at === 0}
                    onPress={() => move(at, -1)}
                  />
                  <Button
                    kind="quiet"
                    size="s"
                    icon={ArrowDown}
                    label={t('kit.reports.later', { name: title(name) })}
                    isDisabled={at === shown.length - 1}
                    onPress={() => move(at, 1)}
                  />
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </Popover>
  )
}
