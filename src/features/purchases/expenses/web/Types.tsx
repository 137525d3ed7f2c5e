import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { failureText, useCall, useSend } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeExpenseSettings, expenseFacts, getExpenseSettings } from '../endpoints.ts'
import { expenseTypes } from '../expenses.ts'
import './dress.tsx'
import './expenses.css'

/** The kinds of expense: account, VAT, income tax; and above which sum an expense waits for approval. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ListScreen
        resource={expenseTypes}
        actions={
          may('expenses.settings') && (
            <Button kind="quiet" icon={ShieldCheck} onPress={() => setOpen(true)}>
              {t('expenses.approval.title')}
            </Button>
          )
        }
      />
      {isOpen && <Approval onClose={() => setOpen(false)} />}
    </>
  )
}

function Approval({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(getExpenseSettings, {})
  return data ? <ApprovalForm above={data.approvalAboveAgorot} onClose={onClose} t={t} /> : null
}

function ApprovalForm({
  above,
  onClose,
  t,
}: {
  above: number | null
  onClose: () => void
  t: ReturnType<typeof useWords>
}) {
  const [isOn, setOn] = useState(above !== null)
  const [sum, setSum] = useState<number | null>(above ?? 0)
  const save = useSend(changeExpenseSettings, {
    refresh: [getExpenseSettings, expenseFacts],
    onSuccess: () => {
      onClose()
      banner.success(t('kit.forms.saved'))
    },
    onError: (e) => banner.error(failureText(t, e)),
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={t('expenses.approval.title')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button
            kind="primary"
            busy={save.isPending}
            onPress={() => save.mutate({ approvalAboveAgorot: isOn ? (sum ?? 0) : null })}
          >
            {t('kit.forms.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FlagField label={t('expenses.approval.on')} value={isOn} onChange={setOn} />
        {isOn && (
          <MoneyField
            label={t('expenses.approval.above')}
            hint={t('expenses.approval.aboveHint')}
            value={sum}
            onChange={setSum}
          />
        )}
        {!isOn && <p className="hint">{t('expenses.approval.off')}</p>}
      </div>
    </Dialog>
  )
}
