import { ArrowDownWideNarrow, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  dimensionNamed,
  factNamed,
  firstQuestion,
  isAdditive,
  limits,
  shownAs,
  sorts,
  type DimensionName,
  type FactName,
  type Question,
} from '#domain/questions/model.ts'
import { formatNumber } from '#domain/format.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Menu, type MenuAction, type MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Popover } from '#kit/web/parts/Popover.tsx'
import { Chip } from '#kit/web/parts/Status.tsx'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { fittingSort, measureWords, without } from './shown.ts'

interface FieldsProps {
  question: Question
  facts: readonly FactName[]
  onChange: (question: Question) => void
}

/**
 * What is asked about, told by what, in which figures: chips that are added, changed and taken away, by hand
 * or by keys.
 */
export function QuestionFields({ question, facts, onChange }: FieldsProps) {
  const t = useWords()
  const hidesSums = useSession()?.HideTotalPrices ?? false
  const known = factNamed(question.fact)
  const used = new Set<DimensionName>([...question.rows, ...(question.column ? [question.column] : [])])
  const free = known.dimensions.filter((name) => !used.has(name))
  const word = (name: DimensionName) => t(`questions.dimensions.${name}`)
  const change = (part: Partial<Question>) => onChange({ ...question, ...part })
  const addMenu = (label: string, onAdd: (name: DimensionName) => void, isMore: boolean): ReactNode =>
    isMore &&
    free.length > 0 && (
      <Menu
        placement="bottom start"
        label={label}
        items={groupedNames(free).map(([group, names]): MenuEntry => ({
          group: t(`questions.kinds.${group}`),
          items: names.map((name) => ({ key: name, label: word(name), onPress: () => onAdd(name) })),
        }))}
        trigger={
          <Chip add icon={Plus}>
            {label}
          </Chip>
        }
      />
    )
  const measures = Object.keys(known.measures).filter(
    (name) => !hidesSums || known.measures[name]!.kind !== 'money',
  )
  return (
    <dl className="q-chips">
      <Line title={t('questions.about')}>
        <Menu
          placement="bottom start"
          label={t('questions.about')}
          items={facts.map((name): MenuAction => ({
            key: name,
            label: t(`questions.facts.${name}`),
            checked: name === question.fact,
            onPress: () => onChange(firstQuestion(name, hidesSums)),
          }))}
          trigger={<Chip on>{t(`questions.facts.${question.fact}`)}</Chip>}
        />
      </Line>
      <Line title={t('questions.rows')}>
        {question.rows.map((name, n) => (
          <Menu
            key={name}
            placement="bottom start"
            label={word(name)}
            items={[
              ...(n > 0
                ? [
                    {
                      key: 'before',
                      label: t('questions.earlier'),
                      onPress: () => change({ rows: moved(question.rows, n) }),
                    },
                  ]
                : []),
              {
                key: 'column',
                label: t('questions.toColumns'),
                onPress: () =>
                  onChange(
                    fittingSort({
                      ...question,
                      rows: [
                        ...question.rows.filter((one) => one !== name),
                        ...(question.column ? [question.column] : []),
                      ],
                      column: name,
                    }),
                  ),
              },
              ...(free.length ? ['line' as const] : []),
              ...free.map((other) => ({
                key: other,
                label: t('questions.instead', { name: word(other) }),
                onPress: () =>
                  onChange(
                    fittingSort({
                      ...question,
                      rows: question.rows.map((one) => (one === name ? other : one)),
                    }),
                  ),
              })),
            ]}
            trigger={
              <Chip
                on
                onRemove={() => onChange(fittingSort(without(question, name)))}
                removeLabel={t('questions.takeOut', { name: word(name) })}
              >
                {word(name)}
              </Chip>
            }
          />
        ))}
        {addMenu(
          t('questions.addRow'),
          (name) => onChange(fittingSort({ ...question, rows: [...question.rows, name] })),
          question.rows.length < limits.rows,
        )}
      </Line>
      <Line title={t('questions.columns')}>
        {question.column && (
          <Menu
            placement="bottom start"
            label={word(question.column)}
            items={[
              ...(question.rows.length < limits.rows
                ? [
                    {
                      key: 'row',
                      label: t('questions.toRows'),
                      onPress: () =>
                        onChange(
                          fittingSort({
                            ...question,
                            rows: [...question.rows, question.column!],
                            column: null,
                          }),
                        ),
                    },
                    'line' as const,
                  ]
                : []),
              ...free.map((other) => ({
                key: other,
                label: t('questions.instead', { name: word(other) }),
                onPress: () => change({ column: other }),
              })),
            ]}
            trigger={
              <Chip
                on
                onRemove={() => change({ column: null })}
                removeLabel={t('questions.takeOut', { name: word(question.column) })}
              >
                {word(question.column)}
              </Chip>
            }
          />
        )}
        {addMenu(t('questions.addColumn'), (name) => change({ column: name }), question.column === null)}
      </Line>
      <Line title={t('questions.figures')}>
        {question.measures.map((measure, n) => {
          const { name, as } = measure
          const put = (next: Partial<typeof measure>) =>
            change({ measures: question.measures.map((one, i) => (i === n ? { ...one, ...next } : one)) })
          const taken = (other: { name: string; as: string }) =>
            question.measures.some((one, i) => i !== n && one.name === other.name && one.as === other.as)
          const label = measureWords(t, question.fact, measure)
          return (
            <Menu
              key={`${name} ${as}`}
              placement="bottom start"
              label={label}
              items={[
                ...(known.measures[name] && isAdditive(known.measures[name])
                  ? [
                      {
                        group: t('questions.shownAs'),
                        items: shownAs
                          .filter((one) => one === as || !taken({ name, as: one }))
                          .map((one) => ({
                            key: one,
                            label: t(`questions.as.${one}`),
                            checked: one === as,
                            onPress: () => put({ as: one }),
                          })),
                      },
                    ]
                  : []),
                {
                  group: t('questions.figures'),
                  items: measures
                    .filter((one) => one === name || !taken({ name: one, as: 'value' }))
                    .map((one) => ({
                      key: one,
                      label: t(`questions.measures.${question.fact}.${one}`),
                      checked: one === name,
                      onPress: () => put({ name: one, as: one === name ? as : 'value' }),
                    })),
                },
              ]}
              trigger={
                <Chip
                  on
                  onRemove={() => change({ measures: question.measures.filter((_, i) => i !== n) })}
                  removeLabel={t('questions.takeOut', { name: label })}
                >
                  {label}
                </Chip>
              }
            />
          )
        })}
        {question.measures.length < limits.measures && (
          <Menu
            placement="bottom start"
            label={t('questions.addFigure')}
            items={measures
              .flatMap((name) =>
                (isAdditive(known.measures[name]!) ? shownAs : (['value'] as const)).map((as) => ({
                  name,
                  as,
                })),
              )
              .filter((one) => !question.measures.some(({ name, as }) => name === one.name && as === one.as))
              .filter(({ as, name }) => as === 'value' || question.measures.some((one) => one.name === name))
              .map((one) => ({
                key: `${one.name} ${one.as}`,
                label: measureWords(t, question.fact, one),
                onPress: () => change({ measures: [...question.measures, one] }),
              }))}
            trigger={
              <Chip add icon={Plus}>
                {t('questions.addFigure')}
              </Chip>
            }
          />
        )}
        {question.rows.length > 0 && question.measures.length > 0 && (
          <Order question={question} onChange={change} />
        )}
      </Line>
    </dl>
  )
}

function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const moved = (rows: readonly DimensionName[], n: number): DimensionName[] => {
  const next = [...rows]
  next.splice(n - 1, 0, ...next.splice(n, 1))
  return next
}

/** Times apart from the rest, so that a long list is found through. */
function groupedNames(names: readonly DimensionName[]): [group: 'time' | 'other', names: DimensionName[]][] {
  const isTime = (name: DimensionName) =>
    dimensionNamed(name).kind === 'time' || name === 'weekday' || name === 'monthOfYear'
  const groups: [group: 'time' | 'other', names: DimensionName[]][] = [
    ['other', names.filter((name) => !isTime(name))],
    ['time', names.filter(isTime)],
  ]
  return groups.filter(([, of]) => of.length > 0)
}

/** In which order the rows stand, and how many of the first. */
function Order({
  question: { sort, top, rows, fact, measures },
  onChange,
}: {
  question: Question
  onChange: (part: Partial<Question>) => void
}) {
  const t = useWords()
  const [most, setMost] = useState<number | null>(top?.most ?? 10)
  const first = measureWords(t, fact, { ...measures[0]!, as: 'value' })
  const said = top
    ? t(sort === 'least' ? 'questions.bottomOf' : 'questions.topOf', { n: formatNumber(top.most) })
    : t(`questions.sorts.${sort}`, { measure: first })
  return (
    <Popover
      label={t('questions.order')}
      trigger={
        <Chip icon={ArrowDownWideNarrow} on={top !== null}>
          {said}
        </Chip>
      }
    >
      {(close) => (
        <form
          className="grid gap-4"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (most && most >= 1 && most <= limits.top)
              onChange({ top: { most, others: top?.others ?? true }, sort: sort === 'own' ? 'most' : sort })
            close()
          }}
        >
          <ChoiceField
            label={t('questions.order')}
            as="list"
            value={sort}
            choices={sorts.map((one) => ({
              value: one,
              label: t(`questions.sorts.${one}`, { measure: first }),
            }))}
            onChange={(next) => next && onChange({ sort: next })}
          />
          <WholeField
            label={t('questions.onlyFirst', { name: t(`questions.dimensions.${rows[0]!}`) })}
            value={most}
            onChange={setMost}
          />
          {top && (
            <FlagField
              label={t('questions.withOthers')}
              value={top.others}
              onChange={(others) => onChange({ top: { ...top, others } })}
            />
          )}
          <div className="flex gap-2">
            <Button kind="primary" size="s" type="submit" isDisabled={!most || most < 1 || most > limits.top}>
              {t('kit.actions.show')}
            </Button>
            {top && (
              <Button
                size="s"
                onPress={() => {
                  onChange({ top: null })
                  close()
                }}
              >
                {t('questions.allOfThem')}
              </Button>
            )}
          </div>
        </form>
      )}
    </Popover>
  )
}
