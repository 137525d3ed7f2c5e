import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

export interface TableFileButtonProps extends Pick<ButtonProps, 'kind' | 'busy'> {
  label: string
  /** Whether the table may stand in a workbook of Excel too. */
  workbooks?: boolean
  onFile: (file: File) => void
}

const texts = '.csv,.txt,text/csv,text/plain'

/** Chooses one file with a table in it. The same file may be chosen again. */
export function TableFileButton({ label, workbooks = false, onFile, ...button }: TableFileButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={
          workbooks
            ? `${texts},.tsv,.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`
            : texts
        }
        hidden
        aria-label={label}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button {...button} icon={FileUp} onPress={() => picker.current?.click()}>
        {label}
      </Button>
    </>
  )
}
