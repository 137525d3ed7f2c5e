import { X } from 'lucide-react'
import { useRef } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { callsOf } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers, type Customer } from '#features/registers/parties/customers.ts'
import { suppliers, type Supplier } from '#features/registers/suppliers/suppliers.ts'
import { termsWord } from '../words.ts'
import { nearest } from './nearest.ts'
import { customerOf, supplierOf, type EditedCustomer } from './model.ts'

export interface CustomerPickProps {
  value: EditedCustomer | null
  onChange: (customer: EditedCustomer | null) => void
  onNew: (name: string) => void
  /** Opens the chosen one's details. */
  onOpen: () => void
  error?: string
  autoFocus?: boolean
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter((word) => /\p{L}/u.test(word))
    .slice(0, 2)
    .map((word) => [...word].find((sign) => /\p{L}/u.test(sign)) ?? '')
    .join('')

interface ChosenProps {
  label: string
  value: EditedCustomer
  onOpen?: () => void
  onDrop: () => void
}

/** Whom the paper is for: name, number, balance, and the way to another. */
function ChosenParty({ label, value, onOpen, onDrop }: ChosenProps) {
  const t = useWords()
  const facts = (
    <>
      <span className="n cut" dir="auto">
        {value.name}
      </span>
      <span className="s">
        {value.taxId ? (
          <span>
            {t('documents.editor.taxId')} <Num>{value.taxId}</Num>
          </span>
        ) : (
          <span>{t('documents.editor.noTaxId')}</span>
        )}
        {value.balanceAgorot !== null && value.balanceAgorot !== 0 && (
          <span>
            {t('documents.editor.openBalance')} <Money amount={value.balanceAgorot} />
          </span>
        )}
        {value.dueTerms && <span>{termsWord(t, value.dueTerms)}</span>}
      </span>
    </>
  )
  return (
    <div className="k-field" role="group" aria-label={label}>
      <span className="k-label">{label}</span>
      <div className="doc-party">
        <span className="k-avatar" aria-hidden>
          {initials(value.name)}
        </span>
        {onOpen ? (
          <button type="button" className="grow" onClick={onOpen} title={t('documents.editor.openCustomer')}>
            {facts}
          </button>
        ) : (
          <span className="grow">{facts}</span>
        )}
        <Button kind="quiet" icon={X} size="s" label={t('documents.editor.otherCustomer')} onPress={onDrop} />
      </div>
    </div>
  )
}

/** Two letters and Enter; then a card with what one wants to know before selling. */
export function CustomerPick({ value, onChange, onNew, onOpen, error, autoFocus }: CustomerPickProps) {
  const t = useWords()
  const may = useCan()
  const rows = useRef(new Map<string, Customer>())
  const input = useRef<HTMLInputElement>(null)
  if (value)
    return (
      <ChosenParty
        label={t('documents.fields.customerId')}
        value={value}
        onOpen={onOpen}
        onDrop={() => {
          onChange(null)
          setTimeout(() => input.current?.focus())
        }}
      />
    )
  return (
    <RefField
      label={t('documents.fields.customerId')}
      placeholder={t('documents.editor.customerHint')}
      value={null}
      error={error}
      autoFocus={autoFocus}
      name="customer"
      inputRef={input}
      onChange={(option) => {
        const row = option && rows.current.get(option.key)
        if (row) onChange(customerOf(row))
      }}
      search={async (query, signal) => {
        const answer = await call(
          callsOf(customers).list,
          { size: query.length > 0 && query.length < 4 ? 50 : 20, q: query || undefined },
          { signal },
        )
        const found = nearest(answer.rows as unknown as Customer[], query, (row) => row.name)
        rows.current = new Map(found.map((row) => [row.id, row]))
        return found.slice(0, 8).map((row) => ({
          key: row.id,
          label: row.name,
          hint:
            [row.taxId, row.city].filter(Boolean).length > 0 ? (
              <span>
                {[row.taxId, row.city].filter(Boolean).map((one, i) => (
                  <bdi key={i}>{i > 0 ? ` · ${one}` : one}</bdi>
                ))}
              </span>
            ) : undefined,
          end: row.balanceAgorot ? <Money amount={row.balanceAgorot} /> : undefined,
        }))
      }}
      onCreate={may(customers.allow.change) ? onNew : undefined}
      newLabel={(text) => t('documents.editor.newCustomer', { text })}
    />
  )
}

/** The same for purchases; an unknown supplier is created from the typed name. */
export function SupplierPick({
  value,
  onChange,
  error,
  autoFocus,
}: Pick<CustomerPickProps, 'value' | 'onChange' | 'error' | 'autoFocus'>) {
  const t = useWords()
  const may = useCan()
  const rows = useRef(new Map<string, Supplier>())
  const input = useRef<HTMLInputElement>(null)
  if (value)
    return (
      <ChosenParty
        label={t('documents.fields.supplierId')}
        value={value}
        onDrop={() => {
          onChange(null)
          setTimeout(() => input.current?.focus())
        }}
      />
    )
  const make = async (name: string) => {
    try {
      onChange(supplierOf((await call(callsOf(suppliers).create, { name })) as unknown as Supplier))
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <RefField
      label={t('documents.fields.supplierId')}
      placeholder={t('documents.editor.supplierHint')}
      value={null}
      error={error}
      autoFocus={autoFocus}
      name="supplier"
      inputRef={input}
      onChange={(option) => {
        const row = option && rows.current.get(option.key)
        if (row) onChange(supplierOf(row))
      }}
      search={async (query, signal) => {
        const answer = await call(
          callsOf(suppliers).list,
          { size: query.length > 0 ? 50 : 20, q: query || undefined },
          { signal },
        )
        const found = nearest(answer.rows as unknown as Supplier[], query, (row) => row.name)
        rows.current = new Map(found.map((row) => [row.id, row]))
        return found.slice(0, 8).map((row) => ({
          key: row.id,
          label: row.name,
          hint: row.taxId ? <bdi>{row.taxId}</bdi> : undefined,
          end: row.balanceAgorot ? <Money amount={row.balanceAgorot} /> : undefined,
        }))
      }}
      onCreate={may(suppliers.allow.change) ? (name) => void make(name) : undefined}
      newLabel={(text) => t('documents.editor.newSupplier', { text })}
    />
  )
}
