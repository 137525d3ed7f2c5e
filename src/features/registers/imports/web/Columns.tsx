import { Fragment, useState } from 'react'
import { failureText, useSend } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import {
  checkImport,
  delimiters,
  encodings,
  rereadImport,
  type ImportOptions,
  type Reading,
} from '../endpoints.ts'
import type { Whole } from './whole.ts'

const left = '-'
const encodingNames: Record<(typeof encodings)[number], string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1255': 'Windows-1255',
  'iso-8859-8': 'ISO-8859-8',
  cp862: 'CP862 (DOS)',
  'windows-1256': 'Windows-1256',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
}
const delimiterKeys: Record<(typeof delimiters)[number], string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
}

/** The letter a spreadsheet has over a column. */
const letterOf = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letterOf(Math.floor(column / 26) - 1) + String.fromCharCode(65 + (column % 26))

/** The content decides how a file is read; people who expect something else from its name should know. */
const namedOtherwise = ({ name, kind }: Pick<Whole, 'name' | 'kind'>): boolean =>
  kind === 'text' ? /\.(xls[xmb]?|ods)$/i.test(name) : /\.(csv|tsv|txt)$/i.test(name)

/**
 * The second step: the meaning of each column, beside its values; how the file is read, when it is not read
 * correctly.
 */
export function Columns({
  one,
  onChange,
  onBack,
}: {
  one: Whole
  onChange: (next: Whole) => void
  onBack?: () => void
}) {
  const t = useWords()
  const [mapping, setMapping] = useState(one.mapping)
  const [options, setOptions] = useState<ImportOptions>(one.options)
  const [refused, setRefused] = useState<unknown>()
  const taken = {
    onSuccess: (next: Whole) => {
      setRefused(undefined)
      setMapping(next.mapping)
      onChange(next)
    },
    onError: setRefused,
  }
  const reread = useSend(rereadImport, taken)
  const check = useSend(checkImport, taken)
  const read = (reading: Partial<Reading>) => reread.mutate({ id: one.id, reading })
  const { reading, head, fields } = one
  const chosen = mapping.filter((name) => name !== null)
  const out = mapping.length - chosen.length
  const missing = fields.filter(({ need, name }) => need && !chosen.includes(name))
  const choices = [
    { value: left, label: t('imports.leftOut') },
    ...fields.map(({ name, title }) => ({ value: name, label: title })),
  ]
  const titleOf = (column: number) =>
    head.columns[column]?.title || t('imports.column', { letter: letterOf(column) })
  return (
    <>
      <Card
        title={<bdi>{one.name}</bdi>}
        hint={`${t(`imports.readAs.${one.kind}`)} · ${fileSize(one.size)}`}
        end={head.remembered && <span className="hint text-12">{t('imports.remembered')}</span>}
      >
        <div className="im-reading" aria-busy={reread.isPending}>
          {one.kind === 'text' && (
            <>
              <ChoiceField
                as="list"
                label={t('imports.reading.encoding')}
                value={reading.encoding ?? 'utf-8'}
                choices={encodings.map((value) => ({
                  value,
                  label: encodingNames[value],
                  hint: t(`imports.script.${value.replaceAll('-', '')}`),
                }))}
                onChange={(encoding) => encoding && read({ encoding, visual: reading.visual ?? false })}
              />
              <ChoiceField
                as="list"
                label={t('imports.reading.delimiter')}
                value={reading.delimiter ?? ','}
                choices={delimiters.map((value) => ({
                  value,
                  label: t(`imports.delimiter.${delimiterKeys[value]}`),
                }))}
                onChange={(delimiter) => delimiter && read({ delimiter })}
              />
            </>
          )}
          {head.sheets && head.sheets.length > 1 && (
            <ChoiceField
              as="list"
              label={t('imports.reading.sheet')}
              value={reading.sheet ?? head.sheets[0]!}
              choices={head.sheets.map((value) => ({ value, label: value }))}
              onChange={(sheet) => sheet && read({ sheet })}
            />
          )}
          <WholeField
            key={reading.headRow}
            label={t('imports.reading.headRow')}
            hint={t('imports.reading.headRowHint')}
            value={reading.headRow}
            onChange={(headRow) =>
              headRow !== null &&
              headRow >= 0 &&
              headRow <= 100 &&
              headRow !== reading.headRow &&
              read({ headRow })
            }
          />
          {one.kind === 'text' &&
            ['iso-8859-8', 'cp862', 'windows-1255'].includes(reading.encoding ?? '') && (
              <FlagField
                label={t('imports.reading.visual')}
                value={reading.visual ?? false}
                onChange={(visual) => read({ visual })}
              />
            )}
        </div>
      </Card>
      {namedOtherwise(one) && <Note tone="wait">{t(`imports.otherKind.${one.kind}`)}</Note>}
      <Card
        title={t('imports.columns')}
        hint={out > 0 ? t('imports.columnsOut', { count: out }) : undefined}
        flush
      >
        <ul className="im-columns">
          {mapping.map((name, column) => (
            <li key={column} data-out={name === null ? '' : undefined}>
              <span className="head">
                <bdi className="cut">{titleOf(column)}</bdi>
                <span className="hint text-12 cut">
                  {(head.columns[column]?.samples ?? []).map((sample, at) => (
                    <Fragment key={at}>
                      {at > 0 && ' · '}
                      <bdi>{sample}</bdi>
                    </Fragment>
                  ))}
                </span>
              </span>
              <ChoiceField
                as="list"
                hideLabel
                label={t('imports.fieldOf', { column: titleOf(column) })}
                value={name ?? left}
                choices={choices}
                onChange={(value) => {
                  const next = value === left || value === null ? null : value
                  // A field belongs to one column: chosen here, it is removed from the other.
                  setMapping(
                    mapping.map((other, at) =>
                      at === column ? next : next !== null && other === next ? null : other,
                    ),
                  )
                }}
              />
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t('imports.existing.title')}>
        <div className="im-options">
          <ChoiceField
            label={t('imports.existing.label')}
            value={options.existing}
            choices={(['update', 'skip'] as const).map((value) => ({
              value,
              label: t(`imports.existing.${value}`),
            }))}
            onChange={(existing) => existing && setOptions({ ...options, existing })}
          />
          <ChoiceField
            as="list"
            label={t('imports.matchBy.label')}
            hint={options.matchBy === 'auto' ? t('imports.matchBy.hint') : undefined}
            value={options.matchBy}
            choices={[
              { value: 'auto', label: t('imports.matchBy.auto') },
              ...one.keys.map(({ name, title }) => ({ value: name, label: title })),
            ]}
            onChange={(matchBy) => matchBy && setOptions({ ...options, matchBy })}
          />
        </div>
      </Card>
      {missing.length > 0 && (
        <Note tone="wait">
          {t('imports.missing', { fields: missing.map(({ title }) => title).join(', ') })}
        </Note>
      )}
      {refused !== undefined && <Note tone="late">{failureText(t, refused)}</Note>}
      <div className="im-acts">
        <Button
          kind="primary"
          busy={check.isPending}
          onPress={() => check.mutate({ id: one.id, mapping, options })}
        >
          {t('imports.check')}
        </Button>
        {onBack ? (
          <Button kind="quiet" onPress={onBack}>
            {t('kit.actions.back')}
          </Button>
        ) : (
          <Button kind="quiet" href={`/invoice/tools/import/${one.resource}`}>
            {t('imports.another')}
          </Button>
        )}
        <span className="hint">{t('imports.checkHint')}</span>
      </div>
    </>
  )
}
