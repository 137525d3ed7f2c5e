import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

export interface TableFileButtonProps extends Pick<ButtonProps, 'kind'> {
  label: string
  onFile: (file: File) => void
}

/** Chooses one text file with a table in it. The same file may be chosen again. */
export function TableFileButton({ label, onFile, ...button }: TableFileButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
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
