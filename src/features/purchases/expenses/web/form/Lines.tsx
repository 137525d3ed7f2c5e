import { Plus, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { vatShareNames } from '#domain/vat/shares.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { resourceNamed, searchIn, titleOf } from '#kit/web/screens/resources.ts'
import { useRecord } from '#kit/web/screens/useRecord.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  addsVat,
  emptyLine,
  totalOf,
  withBillTotal,
  withNet,
  withTotal,
  type Facts,
  type Form,
  type FormLine,
} from './model.ts'

export interface LinesProps {
  form: Form
  facts: Facts
  rateBp: number
  /** How bills of this supplier usually share. */
  weights: readonly number[] | undefined
  onChange: (lines: FormLine[]) => void
  errors: Record<string, string>
}

/**
 * What the bill is for, split over kinds of expense. Any of net, VAT and sum may be typed; the others follow.
 */
export function Lines({ form, facts, rateBp, weights, onChange, errors }: LinesProps) {
  const t = useWords()
  const { lines, currency } = form
  const adds = (line: FormLine) =>
    addsVat(
      line,
      facts.types.find((type) => type.id === line.typeId),
      form,
      facts,
    )
  const put = (at: number, line: FormLine) => onChange(lines.map((old, i) => (i === at ? line : old)))
  const bill = lines.reduce<number | null>(
    (sum, line) => (totalOf(line) === null ? sum : (sum ?? 0) + totalOf(line)!),
    null,
  )
  return (
    <div className="ex-lines" role="group" aria-label={t('expenses.form.lines')}>
      {lines.map((line, i) => (
        <Line
          key={line.key}
          line={line}
          at={i}
          facts={facts}
          currency={currency}
          alone={lines.length === 1}
          errors={errors}
          onType={(typeId) => {
            const next = { ...line, typeId, vatShare: null }
            const total = totalOf(line)
            // A kind without VAT makes the whole sum the cost, and back.
            put(
              i,
              total === null || adds(line) === adds(next) ? next : withTotal(next, total, rateBp, adds(next)),
            )
          }}
          onNet={(net) => put(i, withNet(line, net, rateBp, adds(line)))}
          onTotal={(total) => put(i, withTotal(line, total, rateBp, adds(line)))}
          onLine={(next) => put(i, next)}
          onRemove={() => onChange(lines.filter((_, at) => at !== i))}
        />
      ))}
      <div className="ex-linefoot">
        <Button kind="quiet" size="s" icon={Plus} onPress={() => onChange([...lines, emptyLine()])}>
          {t('expenses.form.addLine')}
        </Button>
        {lines.length > 1 && (
          <MoneyField
            label={t('expenses.form.billTotal')}
            name="billTotal"
            currency={currency}
            value={bill}
            onChange={(total) =>
              total !== null &&
              onChange(
                withBillTotal(lines, total, weights, (line, part) =>
                  withTotal(line, part, rateBp, adds(line)),
                ),
              )
            }
          />
        )}
      </div>
    </div>
  )
}

interface LineProps {
  line: FormLine
  at: number
  facts: Facts
  currency: string
  alone: boolean
  errors: Record<string, string>
  onType: (typeId: string | null) => void
  onNet: (net: number | null) => void
  onTotal: (total: number | null) => void
  onLine: (line: FormLine) => void
  onRemove: () => void
}

function Line({
  line,
  at,
  facts,
  currency,
  alone,
  errors,
  onType,
  onNet,
  onTotal,
  onLine,
  onRemove,
}: LineProps) {
  const t = useWords()
  const may = useCan()
  const [isOpen, setOpen] = useState(line.details !== '' || line.projectId !== null)
  const type = facts.types.find((one) => one.id === line.typeId)
  const projects = resourceNamed('projects')
  const error = (name: string) => {
    const found = errors[`lines.${at}.${name}`]
    return found ? { error: found } : {}
  }
  return (
    <div className="ex-line" data-plain={facts.deductsVat ? undefined : ''}>
      <div className="type">
        <ChoiceField
          as="list"
          label={t('expenses.fields.typeId')}
          name={`lines.${at}.typeId`}
          value={line.typeId}
          onChange={onType}
          choices={facts.types.map((one) => ({ value: one.id, label: one.name }))}
          hint={
            type && facts.deductsVat ? (
              <>
                {t(`expensetypes.vatShare.${line.vatShare ?? type.vatShare}`)}
                {type.isFixedAsset && ` · ${t('expenses.form.asset')}`}
              </>
            ) : undefined
          }
          {...error('typeId')}
        />
      </div>
      {facts.deductsVat && (
        <>
          <MoneyField
            label={t('expenses.fields.netAgorot')}
            name={`lines.${at}.net`}
            currency={currency}
            value={line.net}
            onChange={onNet}
            {...error('netAgorot')}
          />
          <MoneyField
            label={t('expenses.fields.vatAgorot')}
            name={`lines.${at}.vat`}
            currency={currency}
            value={line.vat}
            onChange={(vat) => onLine({ ...line, vat })}
            {...error('vatAgorot')}
          />
        </>
      )}
      <MoneyField
        label={t('expenses.form.total')}
        name={`lines.${at}.total`}
        currency={currency}
        value={totalOf(line)}
        onChange={onTotal}
        {...(facts.deductsVat ? {} : error('netAgorot'))}
      />
      <div className="rm">
        {alone ? (
          <Button
            kind="quiet"
            icon={SlidersHorizontal}
            label={t('expenses.form.lineMore')}
            pressed={isOpen}
            onPress={() => setOpen(!isOpen)}
          />
        ) : (
          <Button kind="quiet" icon={Trash2} label={t('expenses.form.removeLine')} onPress={onRemove} />
        )}
      </div>
      {(isOpen || !alone) && (
        <div className="more">
          <TextField
            label={t('expenses.form.lineDetails')}
            name={`lines.${at}.details`}
            optional
            max={200}
            value={line.details}
            onChange={(details) => onLine({ ...line, details })}
          />
          {facts.deductsVat && (
            <ChoiceField
              as="list"
              label={t('expensetypes.fields.vatShare')}
              name={`lines.${at}.vatShare`}
              value={line.vatShare ?? type?.vatShare ?? 'full'}
              onChange={(vatShare) => onLine({ ...line, vatShare })}
              choices={vatShareNames.map((share) => ({
                value: share,
                label: t(`expensetypes.vatShare.${share}`),
              }))}
            />
          )}
          {projects && may(projects.allow.see) && (
            <ProjectPick
              resource={projects}
              value={line.projectId}
              onChange={(projectId) => onLine({ ...line, projectId })}
            />
          )}
        </div>
      )}
    </div>
  )
}

function ProjectPick({
  resource,
  value,
  onChange,
}: {
  resource: NonNullable<ReturnType<typeof resourceNamed>>
  value: string | null
  onChange: (id: string | null) => void
}) {
  const t = useWords()
  const { data } = useRecord(resource, value ?? undefined)
  return (
    <RefField
      label={t('expenses.form.project')}
      optional
      clearable
      value={value ? { key: value, label: data ? titleOf(resource, data) : '' } : null}
      onChange={(option) => onChange(option?.key ?? null)}
      search={searchIn(resource)}
    />
  )
}
