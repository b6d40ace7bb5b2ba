// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/device/Cluster.h"

#include "gtest/gtest.h"

using namespace mercator;

namespace {

std::string linksErrorOf(llvm::StringRef links,
                         llvm::StringRef device = R"("h100")") {
  llvm::Expected<Cluster> cluster = parseCluster(
      (R"({"schema": "mercator.cluster/1", "name": "c", "title": "C",
                        "device": )" +
       device + R"(, "links": )" + links + "}")
          .str());
  return cluster ? "" : llvm::toString(cluster.takeError());
}

TEST(Cluster, KnownFilesAreRead) {
  for (const std::string &name : clusterNames()) {
    llvm::Expected<Cluster> cluster = findCluster(name);
    ASSERT_TRUE(bool(cluster)) << llvm::toString(cluster.takeError());
    EXPECT_EQ(cluster->name, name);
    EXPECT_FALSE(cluster->sources.empty());
  }
  EXPECT_EQ(llvm::toString(findCluster("h100x9").takeError()),
            "expected a cluster (h100-hosts, h100x8) or a file, got 'h100x9'");
}

TEST(Cluster, TheNearestLinkJoins) {
  Cluster hosts = llvm::cantFail(findCluster("h100-hosts"));
  EXPECT_EQ(hosts.between(8, 15)->name, "NVLink");
  EXPECT_EQ(hosts.between(15, 16)->name, "InfiniBand");
  EXPECT_TRUE(hosts.joins(4096));
  EXPECT_FALSE(llvm::cantFail(findCluster("h100x8")).joins(9));
  // A megabyte at 50 GB/s, and what a message costs.
  EXPECT_DOUBLE_EQ(hosts.links[1].time(1e6), 5 + 20);
}

TEST(Cluster, ErrorsNameTheMember) {
  EXPECT_EQ(linksErrorOf(R"([{"name": "l", "gb_per_s": 1, "us": 1}])"), "");
  EXPECT_EQ(linksErrorOf("[]"), "expected a link in 'links', got none");
  EXPECT_EQ(linksErrorOf(R"([{"name": "l", "gb_per_s": 0, "us": 1}])"),
            "expected a bandwidth above 0 as 'links[0].gb_per_s', got 0");
  EXPECT_EQ(
      linksErrorOf(R"([{"name": "l", "gb_per_s": 1, "us": 1, "byts": 2}])"),
      "unknown member 'links[0].byts'; expected name, devices, gb_per_s, "
      "us");
  EXPECT_EQ(
      linksErrorOf(R"([{"name": "l", "devices": 4, "gb_per_s": 1, "us": 1},
                        {"name": "m", "devices": 6, "gb_per_s": 1, "us": 1}])"),
      "expected 'links' from the nearest to the farthest, each of whole "
      "blocks of the one before, got 6 devices as 'links[1].devices'");
  EXPECT_EQ(
      linksErrorOf(R"([{"name": "l", "gb_per_s": 1, "us": 1}])", R"("h99")")
          .substr(0, 30),
      "in 'device': expected a device");
}

} // namespace
