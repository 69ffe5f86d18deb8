import {
  ActionIcon,
  Group,
  Menu,
  type MantineColorScheme,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const choices: { value: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
]

export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light')
  return (
    <Menu position="bottom-end" width={190} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Colours: light or dark">
          {shown === 'dark' ? <IconMoon size={19} /> : <IconSun size={19} />}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {choices.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              <Group gap={8} wrap="nowrap">
                <Icon size={17} />
                {label}
              </Group>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
