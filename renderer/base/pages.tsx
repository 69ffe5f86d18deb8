import { Pagination } from '@mantine/core'

interface Props {
  total: number
  value: number
  onChange: (page: number) => void
}

/** The pages of a long list, each by a name that can be heard. */
export function Pages(props: Props) {
  return (
    <Pagination
      size="sm"
      aria-label="Pages"
      getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      {...props}
    />
  )
}
