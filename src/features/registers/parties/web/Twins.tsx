import { useEffect, useState, type ComponentType } from 'react'
import { isTaxId } from '#domain/taxId.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { fieldViews, type InputProps } from '#kit/web/fields/fieldViews.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { cardPath } from '#kit/web/screens/resources.ts'
import type { DressedInputProps } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers } from '../customers.ts'
import { findTwins } from '../endpoints.ts'
import type { AnyResource } from '#kit/web/screens/resources.ts'

type Mark = 'taxId' | 'email' | 'phone' | 'mobile'

const WAIT_MS = 400
/** Shorter numbers are extensions; half a mail finds nobody. */
const isWhole: Record<Mark, (text: string) => boolean> = {
  taxId: isTaxId,
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text.trim()),
  phone: (text) => text.replace(/\D/g, '').length >= 7,
  mobile: (text) => text.replace(/\D/g, '').length >= 7,
}

/** What was typed, a moment after the person stopped. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** Whose doubles are looked for, and the words that say so. */
export interface TwinsOf {
  resource: AnyResource
  find: typeof findTwins
  words: Record<'open' | 'archived' | 'taken' | 'known', string>
}

/** Reports at once that a customer with this number, phone or email exists, and opens it beside. */
function TwinsNote({
  of,
  mark,
  value,
  except,
}: {
  of: TwinsOf
  mark: Mark
  value: string
  except?: string | undefined
}) {
  const t = useWords()
  const text = useSettled(value)
  const asks = text !== '' && isWhole[mark](text)
  const { data } = useCall(
    of.find,
    { [mark]: text, ...(except ? { except } : {}) },
    { enabled: asks, staleTime: 30_000 },
  )
  const twin = asks ? data?.rows[0] : undefined
  if (!twin) return null
  return (
    <div className="mt-2" role="status">
      <Note
        tone="wait"
        action={
          <a className="link text-13" href={cardPath(of.resource, twin.id)} target="_blank" rel="noreferrer">
            {t(of.words.open)}
          </a>
        }
      >
        {t(of.words[twin.archived ? 'archived' : mark === 'taxId' ? 'taken' : 'known'], { name: twin.name })}
      </Note>
    </div>
  )
}

/** A field that looks for doubles while it is filled. */
const looking = (of: TwinsOf, mark: Mark, Input: ComponentType<InputProps>) =>
  function LooksForTwins({ values, put: _, ...props }: DressedInputProps) {
    return (
      <>
        <Input {...props} />
        <TwinsNote
          of={of}
          mark={mark}
          value={String(props.value ?? '')}
          except={typeof values.id === 'string' ? values.id : undefined}
        />
      </>
    )
  }

/** Inputs of a party that look for doubles while they are filled. */
export const twinInputs = (of: TwinsOf) => ({
  taxId: looking(of, 'taxId', fieldViews.taxId.Input),
  email: looking(of, 'email', fieldViews.email.Input),
  phone: looking(of, 'phone', fieldViews.phone.Input),
  mobile: looking(of, 'mobile', fieldViews.phone.Input),
})

const inputs = twinInputs({
  resource: customers,
  find: findTwins,
  words: {
    open: 'customers.twins.open',
    archived: 'customers.twins.archived',
    taken: 'customers.twins.taken',
    known: 'customers.twins.known',
  },
})
export const { taxId: TaxIdInput, email: EmailInput, phone: PhoneInput, mobile: MobileInput } = inputs
