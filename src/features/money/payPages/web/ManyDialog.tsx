import { Copy } from 'lucide-react'
import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { makeCoupons } from '../endpoints.ts'
import { CouponFields, couponNames, freshTerms } from './CouponFields.tsx'
import './editor.css'
import { refreshPages } from './says.tsx'

/** Many codes at once; they are shown once to be copied, and stand in the list. */
export function ManyDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const [count, setCount] = useState<number | null>(50)
  const [prefix, setPrefix] = useState('')
  const [terms, setTerms] = useState({ ...freshTerms, usesMax: 1 as number | null })
  const [codes, setCodes] = useState<string[]>()
  return (
    <FormDialog
      title={t('coupons.many')}
      verb={codes ? undefined : t('coupons.make')}
      names={['count', 'prefix', ...couponNames]}
      onClose={onClose}
      onSubmit={async () => {
        setCodes((await call(makeCoupons, { ...terms, count: count ?? 0, prefix })).codes)
        await refreshPages()
      }}
    >
      {(error) =>
        codes ? (
          <>
            <p role="status">{t('coupons.made', { count: codes.length })}</p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys */}
            <pre className="pe-codes" tabIndex={0}>
              {codes.join('\n')}
            </pre>
            <Button kind="primary" icon={Copy} onPress={() => copy(codes.join('\n'))}>
              {t('kit.copy.copy')}
            </Button>
          </>
        ) : (
          <>
            <div className="pe-two">
              <WholeField
                label={t('coupons.count')}
                value={count}
                onChange={setCount}
                {...error('count', count)}
              />
              <TextField
                label={t('coupons.prefix')}
                optional
                ltr
                value={prefix}
                onChange={setPrefix}
                max={12}
                {...error('prefix', prefix)}
              />
            </div>
            <CouponFields
              terms={terms}
              put={(change) => setTerms((now) => ({ ...now, ...change }))}
              error={error}
            />
          </>
        )
      }
    </FormDialog>
  )
}
