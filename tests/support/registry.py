"""Vulkan's registry, vk.xml, as the scripts that write thunks need it."""
import xml.etree.ElementTree as ElementTree


def is_for_vulkan(element, attribute):
    """An element without @attribute is for every API."""
    return "vulkan" in element.get(attribute, "vulkan").split(",")


class Registry:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.commands = {}
        self.aliases = {}
        for command in self.root.findall("commands/command"):
            name = command.findtext("proto/name")
            if name is not None:
                self.commands[name] = command
            elif command.get("alias"):
                self.aliases[command.get("name")] = command.get("alias")

    def canonical(self, name):
        """"vkQueueSubmit2" for "vkQueueSubmit2KHR"."""
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def command(self, name):
        return self.commands[self.canonical(name)]

    def errors(self, name):
        return self.command(name).get("errorcodes", "").split(",")

    def parts(self):
        """What vulkan_core.h has: versions, and extensions that need no window
        system's header and no beta switch."""
        for part in self.root.findall("feature"):
            if is_for_vulkan(part, "api"):
                yield part
        for part in self.root.findall("extensions/extension"):
            if is_for_vulkan(part, "supported") and not part.get("platform"):
                yield part

    def names(self):
        """Of all commands, aliases too."""
        return list(dict.fromkeys(
            row.get("name") for part in self.parts()
            for row in part.findall("require/command")))

    def results(self):
        """Names of all VkResult."""
        first = [row.get("name") for row
                 in self.root.findall("enums[@name='VkResult']/enum")]
        extended = [row.get("name") for part in self.parts()
                    for row in part.findall("require/enum[@extends='VkResult']")]
        return list(dict.fromkeys(first + extended))


def returned(command):
    return command.findtext("proto/type")


def parameters(command):
    """[(declaration, name, type, element)]; a version for another API is left
    out."""
    return [(" ".join("".join(param.itertext()).split()),
             param.findtext("name"), param.findtext("type"), param)
            for param in command.findall("param") if is_for_vulkan(param, "api")]


def prototype(command, prefix, name):
    """The first lines of a definition."""
    declarations = ", ".join(param[0] for param in parameters(command))
    return (f"static VKAPI_ATTR {returned(command)} VKAPI_CALL\n"
            f"{prefix}{name} ({declarations})\n")


def arguments(command):
    return ", ".join(param[1] for param in parameters(command))
