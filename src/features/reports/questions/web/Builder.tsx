import {
  Download,
  FilePlus2,
  FileSpreadsheet,
  FileText,
  FolderOpen,
  Pencil,
  Save,
  SearchX,
  SlidersHorizontal,
  Sparkles,
  Table2,
  Trash2,
  Users,
} from 'lucide-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { firstQuestion, limits, readQuestion, type Question } from '#domain/questions/model.ts'
import { formatNumber } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question as AskFirst } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu, type MenuEntry } from '#kit/web/parts/Menu.tsx'
import { toast } from '#kit/web/parts/notices.ts'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import { hubPath } from '#kit/web/screens/ReportScreen.tsx'
import { listReports } from '#kit/web/screens/reportCalls.ts'
import {
  changeQuestion,
  dropQuestion,
  exportQuestion,
  listQuestions,
  runQuestion,
  type Kept,
  type Understood,
} from '../endpoints.ts'
import { AskedInWords } from './AskedInWords.tsx'
import { CellLines, type OpenCell } from './CellLines.tsx'
import { QuestionFields } from './Fields.tsx'
import { QuestionFilters } from './Filters.tsx'
import { KeepDialog } from './KeepDialog.tsx'
import { PivotChart } from './PivotChart.tsx'
import { PivotTable } from './PivotTable.tsx'
import { choiceWords, measureWords, writeAsk } from './shown.ts'
import './questions.css'

/** A question in an address; one that somebody broke is none. */
function readAsk(text: string | undefined): Question | undefined {
  if (!text) return undefined
  try {
    return readQuestion(JSON.parse(text))
  } catch {
    return undefined
  }
}

const readCell = (text: string | undefined): OpenCell | undefined => {
  if (!text) return undefined
  try {
    const { rows, column, others } = JSON.parse(text) as OpenCell
    return Array.isArray(rows)
      ? {
          rows: rows.map(String),
          column: column === null ? null : String(column),
          ...(others ? { others: true } : {}),
        }
      : undefined
  } catch {
    return undefined
  }
}

/** A custom question: typed in words or composed of chips, answered by a table, saved among the reports. */
export function Screen() {
  const t = useWords()
  useWordsOf(...choiceWords)
  const { data: kept, error, refetch } = useCall(listQuestions, {})
  if (error && !kept) return <Failed error={error} onRetry={refetch} />
  if (!kept) return <Skeleton lines={10} />
  if (kept.facts.length === 0)
    return (
      <>
        <PageHeader
          title={t('screens.reportBuilder')}
          crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]}
        />
        <EmptyState icon={SearchX} title={t('questions.nothing')}>
          {t('questions.nothingText')}
        </EmptyState>
      </>
    )
  return <Builder facts={kept.facts} kept={kept.rows} />
}

function Builder({ facts, kept }: { facts: readonly Question['fact'][]; kept: readonly Kept[] }) {
  const t = useWords()
  const fetchFile = useFile()
  const { query, setQuery, go } = usePlace()
  const of = kept.find(({ id }) => id === query.kept)
  const asked = useMemo(() => readAsk(query.ask), [query.ask])
  const hidesSums = useSession()?.HideTotalPrices ?? false
  const question = asked ?? of?.question ?? firstQuestion(facts[0]!, hidesSums)
  const isChanged =
    asked !== undefined && of !== undefined && JSON.stringify(asked) !== JSON.stringify(of.question)
  const [understood, setUnderstood] = useState<{ said: string; read: Understood }>()
  const [names, setNames] = useState<Record<string, string>>({})
  const [dialog, setDialog] = useState<'new' | 'name' | 'drop'>()
  // What is asked about something else, or said again, is another question than the one that was kept.
  const put = (next: Question, isAnother = next.fact !== question.fact) =>
    setQuery(
      { ask: writeAsk(next), cell: undefined, ...(isAnother ? { kept: undefined } : {}) },
      { push: true },
    )
  const { data, error, refetch, isPlaceholderData } = useCall(
    runQuestion,
    { question },
    { enabled: question.measures.length > 0, placeholderData: keepPreviousData },
  )
  const known = { ...names, ...data?.names }
  const cell = readCell(query.cell)
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: keyOf(listQuestions) })
    await queryClient.invalidateQueries({ queryKey: keyOf(listReports) })
  }
  const file = (format: 'csv' | 'xlsx' | 'pdf') =>
    void fetchFile(
      exportQuestion,
      { file: `question.${format}`, question, title: of?.name ?? t(`questions.facts.${question.fact}`) },
      { open: format === 'pdf' },
    )
  const keepHere = async (change: { question?: Question; forEverybody?: boolean }) => {
    await call(changeQuestion, { id: of!.id, ...change })
    await refresh()
    if (change.question) setQuery({ ask: undefined, cell: undefined })
    toast(t('questions.kept'))
  }
  const more: MenuEntry[] = [
    ...(of?.mayChange
      ? [
          { key: 'name', label: t('questions.rename'), icon: Pencil, onPress: () => setDialog('name') },
          {
            key: 'everybody',
            label: t(of.forEverybody ? 'questions.mineAlone' : 'questions.giveToAll'),
            icon: Users,
            onPress: () => void keepHere({ forEverybody: !of.forEverybody }),
          },
        ]
      : []),
    ...(of
      ? [{ key: 'copy', label: t('questions.keepAsNew'), icon: FilePlus2, onPress: () => setDialog('new') }]
      : []),
    { key: 'fresh', label: t('questions.fresh'), icon: Table2, onPress: () => go('/invoice/reportbuilder') },
    ...(of?.mayChange
      ? [
          'line' as const,
          {
            key: 'drop',
            label: t('questions.drop'),
            icon: Trash2,
            tone: 'danger' as const,
            onPress: () => setDialog('drop'),
          },
        ]
      : []),
  ]
  const isEmpty =
    data && data.rows.length === 0 && (question.rows.length > 0 || data.totals.total.every((one) => !one))
  const isCut =
    data &&
    (data.many.rows > data.rows.length || data.many.columns > data.columns.length) &&
    question.rows.length > 0
  return (
    <div className="q-page">
      <PageHeader
        title={of ? of.name : t('screens.reportBuilder')}
        {...(of
          ? {
              sub: t(
                of.isMine ? (of.forEverybody ? 'questions.yoursForAll' : 'questions.yours') : 'questions.by',
                { who: of.madeBy },
              ),
            }
          : {})}
        crumbs={[{ label: t('kit.reports.toHub'), href: hubPath }]}
        actions={
          <>
            {kept.length > 0 && (
              <Menu
                label={t('questions.keptOnes')}
                items={kept.map((one) => ({
                  key: one.id,
                  label: one.name,
                  checked: one.id === of?.id,
                  href: `/invoice/reportbuilder?kept=${one.id}`,
                }))}
                trigger={<Button icon={FolderOpen}>{t('questions.keptOnes')}</Button>}
              />
            )}
            <Menu
              label={t('kit.lists.export')}
              items={[
                { key: 'pdf', label: t('kit.reports.pdf'), icon: FileText, onPress: () => file('pdf') },
                {
                  key: 'xlsx',
                  label: t('kit.lists.xlsx'),
                  icon: FileSpreadsheet,
                  onPress: () => file('xlsx'),
                },
                { key: 'csv', label: t('kit.lists.csv'), icon: Download, onPress: () => file('csv') },
              ]}
              trigger={<Button icon={Download}>{t('kit.lists.export')}</Button>}
            />
            {(!of || isChanged) && (
              <Button
                kind="primary"
                icon={Save}
                onPress={() => (of?.mayChange ? void keepHere({ question }) : setDialog('new'))}
                isDisabled={!data || error !== null}
              >
                {t('questions.keep')}
              </Button>
            )}
          </>
        }
        more={more}
      />
      <AskedInWords
        understood={understood}
        onRead={(said, read) => {
          setUnderstood({ said, read })
          setNames({ ...names, ...read.names })
          if (read.any && facts.includes(read.question.fact)) put(read.question, true)
        }}
      />
      <Fields question={question}>
        <QuestionFields question={question} facts={facts} onChange={put} />
        <QuestionFilters
          question={question}
          names={known}
          onChange={put}
          onName={(id, name) => setNames({ ...names, [id]: name })}
        />
      </Fields>
      {question.measures.length === 0 ? (
        <EmptyState icon={Sparkles} title={t('questions.noMeasure')}>
          {t('questions.noMeasureText')}
        </EmptyState>
      ) : error ? (
        <EmptyState
          icon={SearchX}
          title={t('questions.failed')}
          actions={
            <Button kind="soft" onPress={() => void refetch()}>
              {t('kit.actions.retry')}
            </Button>
          }
        >
          {failureText(t, error)}
        </EmptyState>
      ) : !data ? (
        <Skeleton lines={8} />
      ) : (
        <div className="q-answer d-rows" data-stale={isPlaceholderData ? '' : undefined}>
          {isCut && (
            <Note tone="wait">
              {t('questions.cut', {
                rows: formatNumber(data.rows.length),
                allRows: formatNumber(data.many.rows),
                columns: formatNumber(data.columns.length),
                allColumns: formatNumber(data.many.columns),
                most: formatNumber(limits.cells),
              })}
            </Note>
          )}
          {isEmpty ? (
            <EmptyState icon={SearchX} title={t('questions.empty')}>
              {t('questions.emptyText')}
            </EmptyState>
          ) : (
            <>
              <PivotChart question={question} answer={data} />
              <PivotTable
                question={question}
                answer={data}
                onOpen={(opened) => setQuery({ cell: JSON.stringify(opened) }, { push: true })}
              />
            </>
          )}
        </div>
      )}
      {cell && (
        <CellLines
          question={question}
          cell={cell}
          answer={data}
          onClose={() => setQuery({ cell: undefined })}
        />
      )}
      {(dialog === 'new' || dialog === 'name') && (
        <KeepDialog
          question={question}
          kept={dialog === 'name' ? of : undefined}
          suggested={dialog === 'name' ? (of?.name ?? '') : (understood?.said ?? '').slice(0, 80)}
          onClose={() => setDialog(undefined)}
          onKept={async (one) => {
            await refresh()
            setDialog(undefined)
            if (dialog === 'new') go(`/invoice/reportbuilder?kept=${one.id}`)
            toast(t('questions.kept'))
          }}
        />
      )}
      <AskFirst
        isOpen={dialog === 'drop'}
        onClose={() => setDialog(undefined)}
        title={t('questions.dropTitle', { name: of?.name ?? '' })}
        verb={t('questions.drop')}
        danger
        onConfirm={async () => {
          await call(dropQuestion, { id: of!.id })
          await refresh()
          go('/invoice/reportbuilder')
          toast(t('questions.dropped'))
        }}
      >
        {t('questions.dropText')}
      </AskFirst>
    </div>
  )
}

/**
 * The chips; a phone folds them behind a line that says what they come to, so that the answer is in sight.
 */
function Fields({ question, children }: { question: Question; children: ReactNode }) {
  const t = useWords()
  if (!usePhone())
    return (
      <section className="q-fields" aria-label={t('questions.fields')}>
        {children}
      </section>
    )
  const { fact, rows, column, measures } = question
  const told = [...rows, ...(column ? [column] : [])].map((name) => t(`questions.dimensions.${name}`))
  const said = [
    t(`questions.facts.${fact}`),
    told.join(', '),
    measures.map((one) => measureWords(t, fact, one)).join(', '),
  ]
  return (
    <details className="q-fields">
      <summary>
        <Icon of={SlidersHorizontal} size="s" />
        <span>{said.filter(Boolean).join(' · ')}</span>
      </summary>
      {children}
    </details>
  )
}
