// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Cluster.h"
#include "mercator/analysis/device/Members.h"

using namespace mercator;
using llvm::StringRef;

namespace {
struct ClusterFile {
  StringRef name, json;
};
// {"h100x8", R"json(...)json"}, for each file of devices/clusters/.
constexpr ClusterFile clusterFiles[] = {
#include "mercator/analysis/device/Clusters.inc"
};
} // namespace

const Link *Cluster::between(int64_t one, int64_t other) const {
  for (const Link &link : links)
    if (link.devices == 0 || one / link.devices == other / link.devices)
      return &link;
  return nullptr;
}

std::vector<std::string> mercator::clusterNames() {
  std::vector<std::string> names;
  for (const ClusterFile &file : clusterFiles)
    names.push_back(file.name.str());
  return names;
}

llvm::Expected<Cluster> mercator::findCluster(StringRef name) {
  for (const ClusterFile &file : clusterFiles)
    if (file.name == name)
      return parseCluster(file.json);
  return llvm::createStringError("expected a cluster (" +
                                 llvm::join(clusterNames(), ", ") +
                                 ") or a file, got '" + name + "'");
}

/// Fails with the text, if it is not empty.
static llvm::Error readClusterDevice(const llvm::json::Value &value,
                                     Cluster &cluster) {
  std::optional<StringRef> name = value.getAsString();
  std::string text;
  if (!name)
    llvm::raw_string_ostream(text) << value;
  llvm::Expected<Device> device = name ? findDevice(*name) : parseDevice(text);
  if (!device)
    return device.takeError();
  cluster.device = std::move(*device);
  return llvm::Error::success();
}

llvm::Expected<Cluster> mercator::parseCluster(StringRef text) {
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  constexpr StringRef kSchema = "mercator.cluster/1";
  if (!object || object->getString("schema") != kSchema)
    return llvm::createStringError("expected an object with \"schema\": \"" +
                                   kSchema + "\"");
  Cluster cluster;
  std::string schema, error;
  Members members(*json, "", error);
  members.text("schema", schema);
  members.text("name", cluster.name);
  members.text("title", cluster.title);
  members.texts("sources", cluster.sources);
  bool hasDevice = members.has("device");
  members.list("links", Members::Need::Required,
               [&](const llvm::json::Value &value, std::string path) {
                 Members row(value, path, error);
                 Link link;
                 row.text("name", link.name);
                 row.integer("devices", 2, int64_t(1) << 40, link.devices,
                             Members::Need::Optional);
                 row.number("gb_per_s", link.gigabytesPerSecond,
                            Members::Need::Required);
                 row.number("us", link.microseconds, Members::Need::Required);
                 row.finish();
                 if (link.gigabytesPerSecond <= 0)
                   row.fail("expected a bandwidth above 0 as '" + path +
                            ".gb_per_s', got 0");
                 if (!cluster.links.empty() &&
                     (cluster.links.back().devices == 0 ||
                      (link.devices != 0 &&
                       link.devices % cluster.links.back().devices != 0)))
                   row.fail("expected 'links' from the nearest to the "
                            "farthest, each of whole blocks of the one "
                            "before, got " +
                            llvm::Twine(link.devices) + " devices as '" + path +
                            ".devices'");
                 cluster.links.push_back(std::move(link));
               });
  members.mention("device");
  members.finish();
  if (error.empty() && cluster.links.empty())
    error = "expected a link in 'links', got none";
  if (error.empty() && !hasDevice)
    error = "expected a device or its name as 'device', got nothing";
  if (!error.empty())
    return llvm::createStringError(error);
  if (llvm::Error failed = readClusterDevice(*object->get("device"), cluster))
    return llvm::createStringError("in 'device': " +
                                   llvm::toString(std::move(failed)));
  return std::move(cluster);
}
